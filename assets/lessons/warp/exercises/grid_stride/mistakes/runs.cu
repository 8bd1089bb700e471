// fails: coalesced: the load takes 32 sectors
// Each thread takes a run of neighbors, as a thread of a CPU would.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  const int run = (n + threads - 1) / threads;
  for (int i = first * run; i < min((first + 1) * run, n); ++i) out[i] = 2 * in[i] + 1;  // here
}
