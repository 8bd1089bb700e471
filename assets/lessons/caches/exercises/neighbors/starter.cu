// out is the sum of the 5 x 5 pixels around each pixel; outside of the image all are 0.
// TODO: a block takes 256 pixels in a row. Give it a tile, whose pixels share more neighbors.
extern "C" __global__ void neighbors(const int* in, int* out, int columns, int rows) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = pixel % columns, y = pixel / columns;
  if (y >= rows) return;

  int sum = 0;
  for (int row = max(y - 2, 0); row <= min(y + 2, rows - 1); ++row)
    for (int column = max(x - 2, 0); column <= min(x + 2, columns - 1); ++column)
      sum += in[row * columns + column];
  out[y * columns + x] = sum;
}
