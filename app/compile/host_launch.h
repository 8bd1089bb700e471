// A launch of a program's host code, as its text has it. host_launches.h finds them.

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// The expressions are as written; those that are left out are empty.
struct HostLaunch {
  std::string kernel;  // "reduce<kBlock>"
  std::string grid, block, shared_bytes, stream;
  std::vector<std::string> arguments;  // of a call the array that holds them
  std::optional<Dim3> grid_value, block_value;
  std::optional<uint64_t> shared_bytes_value;
  Location where;
  /// Of a template: "reduce<256>"; several where the launch is in a template itself.
  std::vector<std::string> instances;
};

}  // namespace lanescope::compile
