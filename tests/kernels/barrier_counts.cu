// Barriers that count: __syncthreads_count, _and, _or over a block whose last warp is not full.
extern "C" __global__ void barrier_counts(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int even = __syncthreads_count(in[i] % 2 == 0);
  const int all = __syncthreads_and(in[i] != 0);
  const int any = __syncthreads_or(in[i] > 2100000000);
  out[i] = even * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}
