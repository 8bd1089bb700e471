// Who am I? Each thread of a grid of 2 x 2 blocks of 2 x 2 threads writes its two indices as one number, x.y.
extern "C" __global__ void indices(float* numbers, int width, bool swapped) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  const int row = swapped ? x : y;
  const int column = swapped ? y : x;
  numbers[row * width + column] = x + y / 10.0f;  // @write
}
