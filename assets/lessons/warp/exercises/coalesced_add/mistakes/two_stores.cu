// fails: sectors: the store at line
// Every element of out is written twice.
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int first = 4 * blockIdx.x * blockDim.x;
  for (int k = 0; k < 4; ++k) {
    const int i = first + k * blockDim.x + threadIdx.x;
    if (i < n) {
      out[i] = a[i];
      out[i] += b[i];  // here
    }
  }
}
