// What PTX does not say of a kernel's arrays in shared memory, from the kernel's sources. Of Python the names
// of those that Numba calls "_cudapy_smem_1", from the lines that make them: "tile = cuda.shared.array(...)".
// Of CUDA C++ the shapes, so that elements have names (compile/shared_arrays.h). Tests:
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

/// Gives those of `program` that the files of its source lines declare __shared__ their shapes. What macros
/// of the command line say is not known here: an array that does not fit its bytes gets none.
void shape_shared_arrays(ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
