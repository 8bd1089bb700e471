// Rounds of a relaxation between which all blocks wait for each other: one counter in global memory, polled
// by one thread of each block. Blocks of 128 threads, one element a thread.
extern "C" __global__ void grid_barrier(const float* in, float* out, float* other, unsigned* arrived,
                                        int rounds) {
  const unsigned n = gridDim.x * blockDim.x;
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float* from = other;
  float* to = out;
  from[x] = in[x];
  for (int round = 0; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < (round + 1) * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    if (round == rounds) break;
    to[x] = 0.5f * from[x] + 0.25f * (from[(x + 1) % n] + from[(x + n - 1) % n]);
    float* const swapped = from;
    from = to;
    to = swapped;
  }
}
