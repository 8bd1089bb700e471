// fails: memory: beyond its end
// Nothing stops the last block at the end of the vectors.
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int first = 4 * blockIdx.x * blockDim.x;
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];  // here
  }
}
