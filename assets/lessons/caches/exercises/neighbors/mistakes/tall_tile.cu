// fails: l1_misses: at most
// A tile of 2 x 128 pixels: each of its 132 rows of neighbors is a piece of a few pixels, and sectors are not.
extern "C" __global__ void neighbors(const int* in, int* out, int columns, int rows) {
  const int tiles_across = (columns + 1) / 2;
  const int tiles_down = (rows + 127) / 128;
  for (int tile = blockIdx.x; tile < tiles_across * tiles_down; tile += gridDim.x) {
    const int x = tile % tiles_across * 2 + threadIdx.x % 2;
    const int y = tile / tiles_across * 128 + threadIdx.x / 2;
    if (x >= columns || y >= rows) continue;

    int sum = 0;
    for (int row = max(y - 2, 0); row <= min(y + 2, rows - 1); ++row)
      for (int column = max(x - 2, 0); column <= min(x + 2, columns - 1); ++column)
        sum += in[row * columns + column];  // here
    out[y * columns + x] = sum;
  }
}
