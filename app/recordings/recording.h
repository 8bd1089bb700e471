// A GPU's times and hardware counts for every text that the lessons' toggles can make, stored in
// assets/recordings and shown as recorded where nothing can be measured. Method: a text is identified by
// recordings/kernel_key.h, so that the times of a kernel that now computes something else are not found. Made
// by `lanescope record`. Tests: tests/unit/recordings/recording_test.cpp

#pragma once

#include "base/error.h"
#include "gpu/description.h"
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
  RecordedSeconds cold;  // the buffers are not in the L2
  RecordedSeconds warm;  // the same buffers each time
  bool operator==(const RecordedTimes&) const = default;
};

struct Recording {
  struct Text {
    std::string kernel;                       // entry
    std::vector<std::string> defines;         // "TILE=32"
    std::map<uint32_t, RecordedTimes> sizes;  // [side of a square matrix, or another size; 0: it has none]
    std::map<uint32_t, trace::HardwareCounts> counts;  // [size]; none where counters could not be read
    std::string date = {};                             // where it is not the recording's
    bool operator==(const Text&) const = default;
  };

  gpu::Description gpu;  // without what follows cuda
  std::string date;      // "2026-11-21"
  unsigned repetitions = 0;
  std::map<uint64_t, RecordedTimes> copies;  // [bytes of one buffer] a device-to-device copy of so many
  std::map<std::string, Text> texts;         // [kernel key]
  bool operator==(const Recording&) const = default;
};

/// Errors: File; Syntax where the file is no recording, with what was expected.
Result<Recording> read_recording(const std::filesystem::path& file);
Result<Recording> parse_recording(std::string_view text, const std::string& name);
std::string recording_text(const Recording& recording);

/// Every recording in assets/recordings and in the user's folder (which may be empty or missing), by file
/// name up to its first point: h200.json and h200.lessons.json are one recording in two files. Of two with
/// one file name, the user's. Files that are no recordings are reported in `errors`.
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
