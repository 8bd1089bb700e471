// out is the sum of the 5 x 5 pixels around each pixel. A block takes a tile of 32 x 8 pixels.
extern "C" __global__ void neighbors(const int* in, int* out, int columns, int rows) {
  const int tiles_across = (columns + 31) / 32;
  const int x = blockIdx.x % tiles_across * 32 + threadIdx.x % 32;
  const int y = blockIdx.x / tiles_across * 8 + threadIdx.x / 32;
  if (x >= columns || y >= rows) return;

  int sum = 0;
  for (int row = max(y - 2, 0); row <= min(y + 2, rows - 1); ++row)
    for (int column = max(x - 2, 0); column <= min(x + 2, columns - 1); ++column)
      sum += in[row * columns + column];
  out[y * columns + x] = sum;
}
