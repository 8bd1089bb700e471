// Names and shapes of a kernel's arrays in shared memory, from the kernel's sources; PTX lacks them. Python:
// names of the arrays that Numba calls "_cudapy_smem_1", from the lines "tile = cuda.shared.array(...)".
// CUDA C++: shapes, so that elements have names (compile/shared_arrays.h). Tests:
// tests/unit/driver/shared_array_names_test.cpp

#pragma once

#include "driver/server/source_texts.h"
#include "ptx/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// Names of the arrays in the last definition of `function`, in order: "tile" for the line
/// "tile = cuda.shared.array(...)".
std::vector<std::string> shared_arrays_in(std::string_view text, std::string_view function);

/// Renames the shared arrays of a Numba program, if the source has a line for each of them: otherwise the
/// lines cannot be matched to the arrays.
void name_shared_arrays(ptx::Program& program, SourceTexts& sources);

/// Gives the shared arrays of `program` the shapes of their __shared__ declarations in its source files.
/// Macros of the command line are not known: an array whose shape does not match its bytes gets none.
void shape_shared_arrays(ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
