// fails: instructions: the first warp executes most
// Every warp walks through the whole vector and picks the elements that are its own.
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int start = 0; start < n; start += 32) {
    const int i = start + threadIdx.x % 32;
    if (i < n && i % threads == thread) out[i] = a[i] + b[i];  // here
  }
}
