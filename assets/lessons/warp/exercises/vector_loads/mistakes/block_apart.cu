// fails: requests: requests to global memory
// Coalesced, but with four loads and four stores.
extern "C" __global__ void scale(const float* in, float* out, int factor, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int all = gridDim.x * blockDim.x;
  for (int i = thread; i < n; i += all) out[i] = factor * in[i];  // here
}
