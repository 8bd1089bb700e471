// A block takes a tile of 128 rows and 8 columns of A and writes its columns as rows.
extern "C" __global__ void load_tile(const float* a, float* columns, int rows, int depth) {
  __shared__ float tile[8][128];
  const int tid = threadIdx.x;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 8;

  // TODO: one float4 for each thread in place of four floats, and no bank conflicts.
  for (int row = tid / 8; row < 128; row += 32)
    tile[tid % 8][row] = a[(first_row + row) * depth + first_column + tid % 8];
  __syncthreads();

  for (int k = tid / 128; k < 8; k += 2)
    columns[(first_column + k) * rows + first_row + tid % 128] = tile[k][tid % 128];
}
