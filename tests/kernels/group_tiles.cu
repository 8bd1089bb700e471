// Cooperative groups: tiles of four lanes shuffle among themselves, and the lanes of a branch form a group.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void group_tiles(const int* in, int* out, int* group_sizes) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<4>(block);
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  int value = in[i] >> 8;
  for (int distance = tile.size() / 2; distance > 0; distance /= 2) value += tile.shfl_xor(value, distance);
  const bool all_even = tile.all(in[i] % 2 == 0), any_negative = tile.any(in[i] < 0);
  out[i] = value * 4 + all_even * 2 + any_negative;
  int size = 0;
  if (value % 3 == 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    size = static_cast<int>(together.size()) * 100 + static_cast<int>(together.thread_rank());
  }
  block.sync();
  group_sizes[i] = size;
}
