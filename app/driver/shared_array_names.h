// Names of a Python kernel's arrays in shared memory, which Numba calls "_cudapy_smem_1", from the lines of
// its source that make them: "tile = cuda.shared.array(...)". Tests:
// tests/unit/driver/shared_array_names_test.cpp

#pragma once

#include "driver/source_texts.h"
#include "ptx/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// "tile" of each such line in the last definition of `function`, in order.
std::vector<std::string> shared_arrays_in(std::string_view text, std::string_view function);

/// Renames those of `program`, if the source has as many lines as the program has arrays: otherwise it is not
/// known which is which.
void name_shared_arrays(ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
