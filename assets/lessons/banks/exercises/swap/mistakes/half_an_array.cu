// fails: memory: which has 128 elements
// The array has room for half of the piece.
constexpr int PIECE = 256;  // elements and threads of a block

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[PIECE / 2];

  const int first = blockIdx.x * PIECE;      // where the block's piece begins
  const int length = min(PIECE, n - first);  // and how many elements it has
  const int mine = threadIdx.x;

  if (mine < length) kept[mine] = in[first + mine];  // here

  __syncthreads();

  if (mine < length) out[first + mine] = kept[length - 1 - mine];
}
