// fails: memory: beyond its end
// The index counts floats, and the pointer counts float4.
extern "C" __global__ void load_tile(const float* a, float* columns, int rows, int depth) {
  __shared__ float tile[8][128 + 4];
  const int tid = threadIdx.x;
  const int first_row = blockIdx.y * 128, first_column = blockIdx.x * 8;

  const int row = tid / 2, column = tid % 2 * 4;
  const float4* const a4 = reinterpret_cast<const float4*>(a);
  const float4 four = a4[(first_row + row) * depth + first_column + column];  // here
  tile[column + 0][row] = four.x;
  tile[column + 1][row] = four.y;
  tile[column + 2][row] = four.z;
  tile[column + 3][row] = four.w;
  __syncthreads();

  for (int k = tid / 128; k < 8; k += 2)
    columns[(first_column + k) * rows + first_row + tid % 128] = tile[k][tid % 128];
}
