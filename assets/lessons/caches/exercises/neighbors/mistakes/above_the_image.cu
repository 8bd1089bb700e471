// fails: memory: before
// The first rows have no two rows above them.
extern "C" __global__ void neighbors(const int* in, int* out, int columns, int rows) {
  const int tiles_across = (columns + 31) / 32;
  const int x = blockIdx.x % tiles_across * 32 + threadIdx.x % 32;
  const int y = blockIdx.x / tiles_across * 8 + threadIdx.x / 32;
  if (x >= columns || y >= rows) return;

  int sum = 0;
  for (int row = y - 2; row <= min(y + 2, rows - 1); ++row)
    for (int column = max(x - 2, 0); column <= min(x + 2, columns - 1); ++column)
      sum += in[row * columns + column];  // here
  out[y * columns + x] = sum;
}
