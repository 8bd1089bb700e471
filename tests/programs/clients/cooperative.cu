// Cooperative groups: tiles of a warp, a coalesced group, and a grid that waits for all its blocks between
// two steps.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace groups = cooperative_groups;

__global__ void sum_by_tiles(const int* in, int* out) {
  const auto tile = groups::tiled_partition<16>(groups::this_thread_block());
  const int sum = groups::reduce(tile, in[blockIdx.x * blockDim.x + threadIdx.x], groups::plus<int>());
  if (tile.thread_rank() == 0) out[blockIdx.x * (blockDim.x / 16) + tile.meta_group_rank()] = sum;
}

/// The lanes that have an odd value take one number each, with one atomic for all of them.
__global__ void number_odd(const int* in, int* next, int* number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  number[i] = -1;
  if (in[i] % 2 == 0) return;
  const auto active = groups::coalesced_threads();
  int begin = 0;
  if (active.thread_rank() == 0) begin = atomicAdd(next, static_cast<int>(active.size()));
  number[i] = active.shfl(begin, 0) + static_cast<int>(active.thread_rank());
}

/// Each step reads what other blocks wrote in the one before.
__global__ void shift(int* a, int* b, int count, int steps) {
  const auto grid = groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int step = 0; step < steps; ++step) {
    b[i] = a[(i + 100) % count];
    grid.sync();
    int* kept = a;
    a = b;
    b = kept;
  }
}

int main() {
  const int count = 512, block = 128;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i * 37 % 101;
  const int* in = on_device(values);
  int* out = on_device(std::vector<int>(count));
  size_t wrong = 0;

  sum_by_tiles<<<count / block, block>>>(in, out);
  require_launch("sum_by_tiles");
  const std::vector<int> sums = from_device(out, count / 16);
  for (int tile = 0; tile < count / 16; ++tile) {
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum += values[tile * 16 + i];
    wrong += sums[tile] != sum;
  }

  int* next = on_device(std::vector<int>(1));
  number_odd<<<count / block, block>>>(in, next, out);
  require_launch("number_odd");
  const std::vector<int> numbered = from_device(out, count);
  std::vector<int> taken(count);
  int odd = 0;
  for (int i = 0; i < count; ++i) {
    odd += values[i] % 2;
    wrong += (numbered[i] >= 0) != (values[i] % 2 == 1);
    if (numbered[i] >= 0 && numbered[i] < count) wrong += taken[numbered[i]]++ != 0;
  }
  wrong += from_device(next, 1)[0] != odd;

  int can_cooperate = 0;
  REQUIRE(cudaDeviceGetAttribute(&can_cooperate, cudaDevAttrCooperativeLaunch, 0));
  wrong += can_cooperate != 1;
  int *a = on_device(values), *b = on_device(std::vector<int>(count)), steps = 3, size = count;
  void* arguments[] = {&a, &b, &size, &steps};
  REQUIRE(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(shift), dim3(count / block), dim3(block),
                                      arguments));
  require_launch("shift");
  const std::vector<int> shifted = from_device(b, count);  // after an odd number of steps
  for (int i = 0; i < count; ++i) wrong += shifted[i] != values[(i + 300) % count];
  return report("cooperative", wrong);
}
