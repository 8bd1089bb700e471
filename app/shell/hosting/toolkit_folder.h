// A folder that looks like a CUDA toolkit, for Makefiles that name theirs by CUDA_HOME or the like: its nvcc
// is Lanescope's wrapper, its runtime library and driver are the stand-ins, all else is the real toolkit's.
// Method: symbolic links, and scripts of the linker in place of libraries. Tests: tests/cli/build_test.cpp

#pragma once

#include "base/error.h"
#include "base/temporary_folder.h"
#include "compile/toolkit.h"

#include <filesystem>

namespace lanescope::shell {

/// Fills an empty folder. `libraries`: the folder with libcuda.so.1 and tools/.
void fill_toolkit_folder(const compile::Toolkit& real, const std::filesystem::path& libraries,
                         const std::filesystem::path& folder);

/// A folder for one run of a program. Errors: File.
Result<TemporaryFolder> make_toolkit_folder(const compile::Toolkit& real,
                                            const std::filesystem::path& libraries);

}  // namespace lanescope::shell
