// Times of lessons' kernels and of what engineers would use instead (cuBLAS, CUB, a copy by the driver) on
// one GPU in one run, with hardware counters beside the emulator's counts: a recording in
// assets/recordings/peers, made by tests/benchmark/peers. Tests:
// tests/unit/recordings/peer_recording_test.cpp

#pragma once

#include "base/error.h"
#include "recordings/recording.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::recordings {

struct PeerRecording {
  struct Unit {
    std::string name;  // "TFLOP/s"
    double scale = 1;  // of it: so much work a second is one
  };
  struct Entry {
    std::string lesson;
    std::string name;
    bool is_peer = false;  // a library or the driver, no kernel of a lesson
    uint64_t size = 0;     // side of the matrices or number of keys; 0: the entry has no size
    double work = 0;       // operations, bytes read and written, or keys
    std::string beside;    // name of the peer that it is compared with
    RecordedSeconds cold;
    RecordedSeconds warm;
  };
  struct Counts {
    std::string lesson;
    std::string name;
    uint64_t size = 0;
    std::map<std::string, std::pair<uint64_t, uint64_t>> values;  // [count] of the GPU, of the emulator
  };
  /// What a profiler says of a kernel as a whole.
  struct Limit {
    std::string name;
    double sm_ghz = 0;
    double compute_percent = 0;
    double dram_percent = 0;
    double l2_percent = 0;
    double l1_percent = 0;
    std::string pipeline;  // the busiest one; empty where none is busy
    std::vector<std::string> stalls;
  };

  std::string gpu, driver, cuda, date;
  unsigned repetitions = 0;
  std::map<std::string, Unit> units;  // [lesson]
  std::vector<Entry> entries;
  std::vector<Counts> counts;
  std::vector<Limit> limits;
};

/// The peer of `entry` in its size; null if it was not recorded.
const PeerRecording::Entry* peer_of(const PeerRecording& recording, const PeerRecording::Entry& entry);

/// Errors: File; Syntax where the file is no such recording, with what was expected.
Result<PeerRecording> read_peers(const std::filesystem::path& file);
Result<PeerRecording> parse_peers(std::string_view text, const std::string& name);

/// Tables of rates and shares, of counts, and of limits, in Markdown.
std::string peer_tables(const PeerRecording& recording);

}  // namespace lanescope::recordings
