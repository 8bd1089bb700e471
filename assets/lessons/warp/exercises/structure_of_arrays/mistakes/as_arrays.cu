// fails: output: wrote it
// What is in shared memory has the order of the points, not of the fields.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  __shared__ float kept[3 * POINTS];
  const int first = blockIdx.x * POINTS, t = threadIdx.x;
  const int count = min(POINTS, n - first);

  for (int i = t; i < 3 * count; i += POINTS) kept[i] = points[3 * first + i];
  __syncthreads();

  if (t < count) {
    x[first + t] = kept[t];  // here
    y[first + t] = kept[t + count];
    z[first + t] = kept[t + 2 * count];
  }
}
