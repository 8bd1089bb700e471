// fails: conflict_free: the store takes 2 wavefronts
// A word is left out after each point, as in a float4.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  __shared__ float kept[4 * POINTS];
  const int first = blockIdx.x * POINTS, t = threadIdx.x;
  const int count = min(POINTS, n - first);

  for (int i = t; i < 3 * count; i += POINTS) kept[i / 3 * 4 + i % 3] = points[3 * first + i];  // here
  __syncthreads();

  if (t < count) {
    x[first + t] = kept[4 * t];
    y[first + t] = kept[4 * t + 1];
    z[first + t] = kept[4 * t + 2];
  }
}
