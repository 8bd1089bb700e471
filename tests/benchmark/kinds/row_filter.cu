// A running mean over each row of a picture by one thread: neighbouring threads are a row apart.
extern "C" __global__ void row_filter(const float* in, float* out, int width, int radius) {
  const float* const from = in + (blockIdx.x * blockDim.x + threadIdx.x) * width;
  float* const to = out + (blockIdx.x * blockDim.x + threadIdx.x) * width;
  const float scale = 1.0f / (2 * radius + 1);
  float sum = from[0] * radius;
  for (int x = 0; x <= radius; ++x) sum += from[x];
  to[0] = sum * scale;
  for (int x = 1; x < width; ++x) {
    sum += from[min(x + radius, width - 1)];
    sum -= from[max(x - radius - 1, 0)];
    to[x] = sum * scale;
  }
}
