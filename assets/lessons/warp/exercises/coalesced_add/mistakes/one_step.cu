// fails: output: out[2048] is not written
// One element for each thread: the grid has a thread for every fourth element only.
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
