// A thread computes 8 x 8 elements of c: 16 reads from shared memory serve 64 multiplications.
// Its columns are neighbors, so lanes read b in steps of 8 words: only 4 of the 32 banks answer.

constexpr int TILE = 128;  // a block computes TILE x TILE elements of c
constexpr int DEPTH = 8;   // columns of a, and rows of b, in shared memory at a time
constexpr int SIDE = 8;    // a thread computes SIDE x SIDE elements
constexpr int THREADS = (TILE / SIDE) * (TILE / SIDE);

extern "C" __global__ void __launch_bounds__(THREADS)
    registers_2d(const float* a, const float* b, float* c, int n) {
  __shared__ float left[TILE][DEPTH];
  __shared__ float right[DEPTH][TILE];

  const int x = threadIdx.x % (TILE / SIDE) * SIDE, y = threadIdx.x / (TILE / SIDE) * SIDE;
  a += blockIdx.y * TILE * n;
  b += blockIdx.x * TILE;
  c += blockIdx.y * TILE * n + blockIdx.x * TILE;

  float sum[SIDE][SIDE] = {};
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = 0; i < TILE * DEPTH; i += THREADS) {
      const int at = i + threadIdx.x;
      left[at / DEPTH][at % DEPTH] = a[at / DEPTH * n + first + at % DEPTH];
      right[at / TILE][at % TILE] = b[(first + at / TILE) * n + at % TILE];
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; ++k) {
      float of_a[SIDE], of_b[SIDE];
      for (int i = 0; i < SIDE; ++i) of_a[i] = left[y + i][k];   // @left
      for (int j = 0; j < SIDE; ++j) of_b[j] = right[k][x + j];  // @right
      for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) sum[i][j] += of_a[i] * of_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < SIDE; ++j) c[(y + i) * n + x + j] = sum[i][j];
}
