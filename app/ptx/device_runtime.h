// Bodies, in PTX, of functions of CUDA's device runtime (cudadevrt) that a linker adds to other compilers'
// output: the synchronization of a whole grid, as Numba's cg.this_grid().sync() calls it. Method: a
// declaration is replaced by a definition on its own lines, so that all other lines keep their numbers. The
// barrier is a counter whose highest bit flips when all blocks have come. Tests:
// tests/unit/ptx/device_runtime_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::ptx {

/// `text` with bodies for those of the functions that it declares.
std::string with_device_runtime(std::string_view text);

}  // namespace lanescope::ptx
