// fails: output: out[4096] is not written
// What does not fill a whole turn is left out.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  for (int turn = 0; turn < n / threads; ++turn) {
    const int i = turn * threads + first;
    out[i] = 2 * in[i] + 1;
  }
}
