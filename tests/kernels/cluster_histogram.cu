// A histogram too large for one block: the bins are in the shared memory of a cluster's blocks, each a part of them, and
// every block counts into all of them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int kBinsOfBlock = 256;

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_histogram(const unsigned* in, unsigned* bins, int count) {
  __shared__ unsigned mine[kBinsOfBlock];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < kBinsOfBlock; b += blockDim.x) mine[b] = 0;
  cluster.sync();
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < count; i += gridDim.x * blockDim.x) {
    const unsigned bin = in[i] % (kBinsOfBlock * cluster.num_blocks());
    atomicAdd(cluster.map_shared_rank(mine, bin / kBinsOfBlock) + bin % kBinsOfBlock, 1u);
  }
  cluster.sync();
  for (int b = threadIdx.x; b < kBinsOfBlock; b += blockDim.x)
    atomicAdd(bins + cluster.block_rank() * kBinsOfBlock + b, mine[b]);
}
