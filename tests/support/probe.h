// Probes: one instruction each, executed by many threads on different inputs, so that the emulator can be
// held against what an H200 left (tests/data/probes). Method: probes.txt lists them; PTX and inputs are made
// from a line alone, the inputs by a generator that is seeded with the probe's name.

#pragma once

#include "base/error.h"
#include "launch/launch.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::tests {

struct ProbeOperand {
  std::string reg;      // b16, b32, b64, f32, f64
  std::string pattern;  // empty for a result
};

struct Probe {
  std::string name;
  uint32_t threads = 0;
  std::vector<ProbeOperand> operands;  // %a0 ...
  std::vector<ProbeOperand> results;   // %d0 ...
  std::string text;

  size_t input_bytes() const;   // of all threads
  size_t output_bytes() const;  // the same
};

constexpr uint32_t kProbeBlock = 128;  // threads

Result<std::vector<Probe>> read_probes(const std::filesystem::path& file);

/// A module with the one kernel `probe(in, out)`. A thread's operands lie side by side at 8 bytes each, its
/// results at 8 if they have 64 bits, else at 4.
std::string ptx_of(const Probe& probe);
std::vector<std::byte> inputs_of(const Probe& probe);

/// Buffers `in` and `out`; blocks of kProbeBlock threads.
launch::Launch launch_of(const Probe& probe);

/// Where result `n` of a thread begins, from the start of the thread's.
size_t offset_of_result(const Probe& probe, size_t n);
size_t bytes_of(const ProbeOperand& result);

}  // namespace lanescope::tests
