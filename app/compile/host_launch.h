// A launch of a program's host code, as its text has it. host_launches.h finds them.

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// What the text says of an argument.
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
  /// Where the block is not known: shared bytes of a block of n threads in x are n times the second, and the
  /// first.
  std::optional<std::array<uint64_t, 2>> shared_bytes_by_block = {};
  std::vector<HostArgument> values = {};  // [argument]
  Location where;
  size_t order = 0;  // among all launches of the host code, from 0
  /// Of a template: "reduce<256>"; several where the launch is in a template itself.
  std::vector<std::string> instances;
};

}  // namespace lanescope::compile
