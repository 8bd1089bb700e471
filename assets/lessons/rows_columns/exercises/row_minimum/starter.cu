// least[r] is the smallest element of row r. A row has 32 elements, and a thread takes a row.
constexpr int ROWS = 64, COLUMNS = 32;  // of a block, which has a thread for each row

extern "C" __global__ void row_minimum(const float* in, float* least, int rows) {
  const int row = blockIdx.x * ROWS + threadIdx.x;
  if (row >= rows) return;

  // TODO: in one step the lanes read 32 different rows. Let the block load its rows together first.
  float smallest = in[row * COLUMNS];
  for (int c = 1; c < COLUMNS; ++c) smallest = fminf(smallest, in[row * COLUMNS + c]);
  least[row] = smallest;
}
