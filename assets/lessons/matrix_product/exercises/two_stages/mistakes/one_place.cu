// fails: memory: 'piece'
// The next piece is copied over the one that is used.
#include <cuda_pipeline.h>

constexpr int THREADS = 128, PIECE = 256;  // a thread copies two elements, 8 bytes

extern "C" __global__ void times_vector(const unsigned* turned, const unsigned* x, unsigned* y, int rows,
                                        int columns) {
  __shared__ __align__(16) unsigned piece[2][PIECE];
  const int t = threadIdx.x, row = blockIdx.x * THREADS + t;
  const int pieces = columns / PIECE;

  const auto fetch = [&](int p) {
    __pipeline_memcpy_async(&piece[0][2 * t], &x[p * PIECE + 2 * t], 8);
    __pipeline_commit();
  };

  unsigned sum = 0;
  fetch(0);
  for (int p = 0; p < pieces; ++p) {
    __pipeline_wait_prior(0);
    __syncthreads();  // the piece is there for all, and nobody needs the one before it
    if (p + 1 < pieces) fetch(p + 1);
    for (int k = 0; k < PIECE; ++k) sum += turned[(p * PIECE + k) * rows + row] * piece[0][k];  // here
  }
  y[row] = sum;
}
