// A GPU's times and hardware counts for every text that the lessons' toggles can make, kept in
// assets/recordings: what the window shows as recorded where nothing can be measured. Method: a text is known
// by recordings/kernel_key.h, so that a kernel that computes something else since is not found. Made
// by `lanescope record`. Tests: tests/unit/recordings/recording_test.cpp

#pragma once

#include "base/error.h"
#include "trace/hardware_counts.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::recordings {

/// Of the repetitions of one launch.
struct RecordedSeconds {
  double minimum = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  bool operator==(const RecordedSeconds&) const = default;
};

struct RecordedTimes {
  uint64_t bytes = 0;    // read and written by definition: each element of input and output once
  RecordedSeconds cold;  // nothing of the buffers in the L2
  RecordedSeconds warm;  // the same buffers each time
  bool operator==(const RecordedTimes&) const = default;
};

struct Recording {
  struct Text {
    std::string kernel;                                // entry
    std::vector<std::string> defines;                  // "TILE=32"
    std::map<uint32_t, RecordedTimes> sizes;           // [side of a square matrix]
    std::map<uint32_t, trace::HardwareCounts> counts;  // [side]; none where counters could not be read
    bool operator==(const Text&) const = default;
  };

  std::string gpu;                 // "NVIDIA H200"
  std::string compute_capability;  // "9.0"
  std::string driver;              // "580.159.04"; empty where unknown
  std::string cuda;                // "13.0": what the driver takes
  std::string date;                // "2026-11-21"
  unsigned repetitions = 0;
  std::map<uint64_t, RecordedTimes> copies;  // [bytes of one buffer] a device-to-device copy of so many
  std::map<std::string, Text> texts;         // [kernel key]
  bool operator==(const Recording&) const = default;
};

/// Errors: File; Syntax where the file is no recording, with what was expected.
Result<Recording> read_recording(const std::filesystem::path& file);
Result<Recording> parse_recording(std::string_view text, const std::string& name);
std::string recording_text(const Recording& recording);

/// Every recording in assets/recordings and in a folder of the user's (which may be empty or missing), by
/// file name; the user's wins. A file that is none is left out and reported.
struct Recordings {
  std::map<std::string, Recording> by_name;  // "h200"
  std::vector<Error> errors;
};
Recordings read_recordings(const std::filesystem::path& folder, const std::filesystem::path& own = {});

/// The sides of square matrices that any text was timed with, in rising order.
std::vector<uint32_t> recorded_sizes(const Recording& recording);

/// Null where the text or the size was not recorded.
const RecordedTimes* find_times(const Recording& recording, const std::string& key, uint32_t side);
/// Null where the text or the size was not counted.
const trace::HardwareCounts* find_counts(const Recording& recording, const std::string& key, uint32_t side);
/// The copy that moves as many bytes; null where there is none.
const RecordedTimes* find_copy(const Recording& recording, uint64_t bytes_moved);

}  // namespace lanescope::recordings
