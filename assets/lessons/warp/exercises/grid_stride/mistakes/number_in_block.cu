// fails: output: out[128] is not written
// All blocks take the elements of the first one.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  for (int i = first; i < n; i += threads) out[i] = 2 * in[i] + 1;
}
