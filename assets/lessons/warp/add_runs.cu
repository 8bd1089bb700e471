// Four elements for each thread, as one divides the work among the cores of a CPU: thread i takes elements
// 4 i to 4 i + 3. At every step of the loop neighboring lanes are four elements apart.
extern "C" __global__ void add_runs(const float* a, const float* b, float* out, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;

  for (int k = 0; k < 4; ++k) {
    const int i = 4 * thread + k;
    if (i < n) {
      const float sum = a[i] + b[i];  // @read
      out[i] = sum;                   // @write
    }
  }
}
