// What the kernels of the lesson must write, computed without blocks or two-dimensional indices.

// Sum n is that of `count` elements that are `step` apart, from n * `start` on, added from the last to the
// first.
extern "C" __global__ void expected_sums(const float* a, float* sums, int n, int start, int count, int step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = count - 1; k >= 0; --k) sum += a[i * start + k * step];
    sums[i] = sum;
  }
}

// Number n of the matrix: the digits of n in base `width`.
extern "C" __global__ void expected_indices(float* numbers, int width, bool swapped) {
  for (int i = 0; i < width * width; ++i) {
    const int tens = swapped ? i / width : i % width, ones = swapped ? i % width : i / width;
    numbers[i] = tens + ones / 10.0f;
  }
}

extern "C" __global__ void expected_matrix(const float* a, const float* b, float* out, int count) {
  for (int i = count - 1 - threadIdx.x; i >= 0; i -= blockDim.x) out[i] = a[i] + b[i];
}
