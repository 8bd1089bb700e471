// fails: memory: beyond its end
// The last block loads as many floats as the others.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  __shared__ float kept[3 * POINTS];
  const int first = blockIdx.x * POINTS, t = threadIdx.x;
  const int count = min(POINTS, n - first);

  for (int i = t; i < 3 * POINTS; i += POINTS) kept[i] = points[3 * first + i];  // here
  __syncthreads();

  if (t < count) {
    x[first + t] = kept[3 * t];
    y[first + t] = kept[3 * t + 1];
    z[first + t] = kept[3 * t + 2];
  }
}
