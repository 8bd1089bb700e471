// Every block of a cluster of 2 x 2 hands its numbers on to the next by writing to its shared memory, and the last to the
// first; the received numbers are read after the cluster's barrier.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 2, 1) cluster_shift(const int* in, int* out) {
  __shared__ int came[128];
  const cg::cluster_group cluster = cg::this_cluster();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int i = block * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int round = 0; round < 3; ++round) {
    cluster.sync();
    int* const next = cluster.map_shared_rank(came, (cluster.block_rank() + 1) % cluster.num_blocks());
    next[(threadIdx.x + 1) % blockDim.x] = value * 3 + round;
    cluster.sync();
    value = came[threadIdx.x];
  }
  out[i] = value + 1000000 * cluster.block_rank();
}
