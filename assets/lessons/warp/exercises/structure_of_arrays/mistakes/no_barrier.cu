// fails: memory: no barrier is between them
// A thread takes floats that another warp may not have loaded yet.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  __shared__ float kept[3 * POINTS];
  const int first = blockIdx.x * POINTS, t = threadIdx.x;
  const int count = min(POINTS, n - first);

  for (int i = t; i < 3 * count; i += POINTS) kept[i] = points[3 * first + i];

  if (t < count) {
    x[first + t] = kept[3 * t];  // here
    y[first + t] = kept[3 * t + 1];
    z[first + t] = kept[3 * t + 2];
  }
}
