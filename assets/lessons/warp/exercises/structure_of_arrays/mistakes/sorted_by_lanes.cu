// fails: coalesced: the load takes 12 sectors
// Through shared memory, but each thread loads the floats of its own point.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  __shared__ float kept[3 * POINTS];
  const int first = blockIdx.x * POINTS, t = threadIdx.x;
  const int count = min(POINTS, n - first);

  for (int i = 3 * t; i < min(3 * t + 3, 3 * count); ++i) kept[i] = points[3 * first + i];  // here
  __syncthreads();

  if (t < count) {
    x[first + t] = kept[3 * t];
    y[first + t] = kept[3 * t + 1];
    z[first + t] = kept[3 * t + 2];
  }
}
