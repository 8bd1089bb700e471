// Shortest paths in a graph of 32 nodes per block: one intermediate node per step, all pairs at once.
extern "C" __global__ void floyd_warshall(const unsigned* lengths, unsigned* shortest) {
  __shared__ unsigned best[32][32];
  const int from = threadIdx.y, to = threadIdx.x, at = blockIdx.x * 1024 + from * 32 + to;
  best[from][to] = from == to ? 0 : lengths[at] >> 16;
  for (int over = 0; over < 32; ++over) {
    __syncthreads();
    const unsigned way = best[from][over] + best[over][to];
    __syncthreads();
    if (way < best[from][to]) best[from][to] = way;
  }
  shortest[at] = best[from][to];
}
