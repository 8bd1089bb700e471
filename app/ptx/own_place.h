// Which of the places of an instruction a person is told: a line that they wrote, and not one of CUDA's
// headers that they call. Tests: tests/unit/ptx/own_place_test.cpp

#pragma once

#include "ptx/program.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// Whether a file, as a compiler names it, is one of CUDA's headers: `/usr/local/cuda/include/mma.h`,
/// `crt/mma.hpp`.
bool is_cuda_header(std::string_view file);

struct OwnPlace {
  Location where;                     // the innermost line outside of CUDA's headers; line 0: not known
  std::vector<Location> called_from;  // from where it was called in turn
  std::optional<Location> in_header;  // the line of a header of CUDA's that it calls
};
OwnPlace own_place_of(const Origin& origin);

}  // namespace lanescope::ptx
