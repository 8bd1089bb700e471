// Bodies, in PTX, of functions of CUDA's device runtime (cudadevrt) that a linker adds to other compilers'
// output: the synchronization of a whole grid, as Numba's cg.this_grid().sync() calls it, and the launch of
// kernels by kernels (dynamic parallelism). Method: a declaration is replaced by a definition on its own
// lines, so that all other lines keep their numbers. The barrier is a counter whose highest bit flips when
// all blocks have come. A launch is a piece of the device's heap in a list, which the driver carries out
// after the kernel. Source of the functions' forms: cuda_device_runtime_api.h. Tests:
// tests/unit/ptx/device_runtime_test.cpp

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::ptx {

/// Variable of a module whose kernels launch kernels: three words of 64 bits. The first is the address of the
/// launch that was asked for last, 0 where there is none; the second the size of a DeviceLaunch with its
/// parameters, which the driver sets; the third counts launches for which the heap had no room.
inline constexpr const char* kDeviceLaunches = "__lanescope_launches";

/// A launch that a kernel asked for. The bytes of its parameters follow.
struct DeviceLaunch {
  uint64_t before = 0;    // address of the launch that was asked for before it; 0: it is the first
  uint64_t function = 0;  // function_address() of the kernel
  uint32_t grid[3] = {};
  uint32_t block[3] = {};
  uint32_t dynamic_shared_bytes = 0;
  uint32_t reserved = 0;
  uint64_t stream = 0;
  uint64_t thread = 0;  // that asked: number of its block times 1024, and its number in the block
};
static_assert(sizeof(DeviceLaunch) == 64);
inline constexpr uint64_t kTailLaunchStream = 3;

/// `text` with bodies for those of the functions that it declares.
std::string with_device_runtime(std::string_view text);

}  // namespace lanescope::ptx
