// The Sobel operator in the plainest way: a thread for each pixel, its weights in a table.
#ifndef THRESHOLD
#define THRESHOLD 0
#endif

extern "C" __global__ void plain(const unsigned char* image, unsigned char* edges, int width, int height) {
  const int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  int across = 0, down = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int x = min(max(i % width + dx, 0), width - 1);
      const int y = min(max(i / width + dy, 0), height - 1);
      const int pixel = image[y * width + x];
      across += weights[dy + 1][dx + 1] * pixel;
      down += weights[dx + 1][dy + 1] * pixel;
    }
  const int magnitude = min(abs(across) + abs(down), 255);
  edges[i] = THRESHOLD == 0 ? magnitude : magnitude >= THRESHOLD ? 255 : 0;
}
