// fails: memory: with n=5000
// The last turn is a whole one.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  const int turns = (n + threads - 1) / threads;
  for (int turn = 0; turn < turns; ++turn) {
    const int i = turn * threads + first;
    out[i] = 2 * in[i] + 1;  // here
  }
}
