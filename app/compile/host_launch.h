// A launch of a program's host code, as the text shows it. host_launches.h finds the launches.

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// Properties of an argument that the text shows.
struct HostArgument {
  std::optional<double> number;     // of an integer too
  std::vector<double> fields = {};  // of a struct that is set to a list of numbers
  std::string type = {};            // of a variable: "uchar4*"
  std::string buffer = {};          // the variable that was allocated
  std::optional<uint64_t> buffer_bytes = {};
  bool is_least = false;      // so many bytes are copied; the buffer may have more
  uint64_t offset_bytes = 0;  // of the pointer in it
};

/// The expressions are as written; those that are left out are empty.
struct HostLaunch {
  std::string kernel;  // "reduce<kBlock>"
  std::string grid, block, shared_bytes, stream;
  std::vector<std::string> arguments;  // of a call the array that holds them
  std::optional<Dim3> grid_value, block_value;
  std::optional<uint64_t> shared_bytes_value;
  /// Shared bytes if the block is not known: a block of n threads in x has the first number of bytes, and n
  /// times the second.
  std::optional<std::array<uint64_t, 2>> shared_bytes_by_block = {};
  std::vector<HostArgument> values = {};  // [argument]
  Location where;
  size_t order = 0;  // among all launches of the host code, from 0
  /// Instances of a template that are launched: "reduce<256>"; several if the launch is in a template itself.
  std::vector<std::string> instances;
};

}  // namespace lanescope::compile
