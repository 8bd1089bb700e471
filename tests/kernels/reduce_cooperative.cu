// Sum and maximum by cooperative groups: the library's reduce on tiles of 32 and of 8 lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void reduce_cooperative(const int* in, int* sums, int* largest) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eighth = cg::tiled_partition<8>(warp);
  const int value = in[block.group_index().x * block.size() + block.thread_rank()] >> 8;
  const int sum = cg::reduce(warp, value, cg::plus<int>());
  const int most = cg::reduce(eighth, value, cg::greater<int>());
  if (warp.thread_rank() == 0) sums[blockIdx.x * warp.meta_group_size() + warp.meta_group_rank()] = sum;
  const int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  if (eighth.thread_rank() == 0) largest[tile] = most;
}
