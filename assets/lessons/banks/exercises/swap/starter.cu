// Each block turns its piece of 256 elements round: the first one becomes the last one.
// The last piece of the array may be shorter.

constexpr int PIECE = 256;  // elements and threads of a block

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[PIECE];

  const int first = blockIdx.x * PIECE;      // where the block's piece begins
  const int length = min(PIECE, n - first);  // and how many elements it has
  const int mine = threadIdx.x;

  if (mine < length) kept[mine] = in[first + mine];

  // TODO wait until the whole piece is in `kept`, then write it to `out` in reverse order.
}
