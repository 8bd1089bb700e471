// fails: sectors: the load at line 7 takes
// Every block walks over all elements after its own.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = blockDim.x;

  for (int i = first; i < n; i += threads) out[i] = 2 * in[i] + 1;  // here
}
