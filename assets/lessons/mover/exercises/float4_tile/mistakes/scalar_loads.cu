// fails: instructions: the first warp executes most
// Coalesced and without conflicts, but four loads for each thread where one is enough.
extern "C" __global__ void load_tile(const float* a, float* columns, int rows, int depth) {
  __shared__ float tile[8][128 + 4];
  const int tid = threadIdx.x;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 8;

  for (int row = tid / 8; row < 128; row += 32)  // here
    tile[tid % 8][row] = a[(first_row + row) * depth + first_column + tid % 8];
  __syncthreads();

  for (int k = tid / 128; k < 8; k += 2)
    columns[(first_column + k) * rows + first_row + tid % 128] = tile[k][tid % 128];
}
