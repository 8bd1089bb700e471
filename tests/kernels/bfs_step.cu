// One level of a breadth-first search: every node of the frontier claims its unvisited neighbors with a compare-and-swap.
extern "C" __global__ void bfs_step(const unsigned* neighbours, int degree, int nodes, int* level, int current,
                                    unsigned* claimed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || node % 5 != 0) return;
  for (int i = 0; i < degree; ++i) {
    const unsigned other = neighbours[node * degree + i] % nodes;
    if (other % 5 == 0) continue;
    if (atomicCAS(&level[other], 0, current + 1) == 0) atomicAdd(claimed, 1u);
  }
}
