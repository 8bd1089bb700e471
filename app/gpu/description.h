// Which GPU it is, as it reports it and as recordings store it.
// Tests: tests/unit/recordings/recording_test.cpp, tests/unit/remote/connection_test.cpp

#pragma once

#include <cstdint>
#include <string>

namespace lanescope::gpu {

struct Description {
  std::string name;                // "NVIDIA H200"
  std::string compute_capability;  // "9.0"
  std::string driver;              // "580.159.04"; empty where unknown
  std::string cuda;                // "13.0": the newest version that the driver supports
  std::string host;                // empty: this machine; recordings do not store what follows
  uint64_t memory_bytes = 0;
  uint64_t l2_bytes = 0;
  bool operator==(const Description&) const = default;
};

}  // namespace lanescope::gpu
