// The loads of a tiled product c = a b, without its multiplications. Block n takes a tile of c in the chosen order,
// loads the tiles of its rows of a and of its columns of b, and adds them up.
// ORDER: 0 takes the tiles of c row by row, 1 column by column.
constexpr int TILE = 64, DEPTH = 32;  // a tile of a has 64 x 32 words, one of b 32 x 64

extern "C" __global__ void tile_order(const float4* a, const float4* b, float* sums, int rows, int columns,
                                      int depth) {
  const int row = ORDER == 0 ? blockIdx.x / columns : blockIdx.x % rows;
  const int column = ORDER == 0 ? blockIdx.x % columns : blockIdx.x / rows;
  float sum = 0;
  for (int first = 0; first < depth; first += DEPTH) {
    for (int i = threadIdx.x; i < TILE * DEPTH / 4; i += blockDim.x) {
      const float4 left = a[((row * TILE + i / 8) * depth + first) / 4 + i % 8];                // @a
      const float4 right = b[((first + i / 16) * columns + column) * (TILE / 4) + i % 16];  // @b
      sum += left.x + left.y + left.z + left.w + right.x + right.y + right.z + right.w;
    }
    __syncthreads();
  }
  sums[(row * columns + column) * blockDim.x + threadIdx.x] = sum;
}
