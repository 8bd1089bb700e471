// A point has three floats, x, y and z, side by side in `points`. Each of them gets an array of its own.
constexpr int POINTS = 128;  // points and threads of a block

extern "C" __global__ void split_points(const float* points, float* x, float* y, float* z, int n) {
  // TODO: the lanes read every third float. Let them read neighbors.
  const int i = blockIdx.x * POINTS + threadIdx.x;
  if (i < n) {
    x[i] = points[3 * i];
    y[i] = points[3 * i + 1];
    z[i] = points[3 * i + 2];
  }
}
