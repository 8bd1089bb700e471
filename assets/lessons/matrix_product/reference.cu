// The product by its definition, with the sums in the order that the kernels use: k rises, one rounding a
// step.

extern "C" __global__ void reference(const float* a, const float* b, float* c, int n) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = element / n, column = element % n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum = fmaf(a[row * n + k], b[k * n + column], sum);
  c[element] = sum;
}
