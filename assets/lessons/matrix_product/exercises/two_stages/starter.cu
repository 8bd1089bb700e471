// y = A x. The matrix is stored turned: turned[k * rows + row] is in row `row` and column k of A. A piece of
// x is copied to shared memory, used, and replaced by the next one.
#include <cuda_pipeline.h>

constexpr int THREADS = 128, PIECE = 256;  // a thread copies two elements, 8 bytes

extern "C" __global__ void times_vector(const unsigned* turned, const unsigned* x, unsigned* y, int rows,
                                        int columns) {
  __shared__ __align__(16) unsigned piece[PIECE];
  const int t = threadIdx.x, row = blockIdx.x * THREADS + t;
  const int pieces = columns / PIECE;

  // TODO: keep two pieces, and copy the next one while this one is used: one barrier for each is enough then.
  unsigned sum = 0;
  for (int p = 0; p < pieces; ++p) {
    __pipeline_memcpy_async(&piece[2 * t], &x[p * PIECE + 2 * t], 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();  // the piece is there for all
    for (int k = 0; k < PIECE; ++k) sum += turned[(p * PIECE + k) * rows + row] * piece[k];
    __syncthreads();  // nobody needs it any more
  }
  y[row] = sum;
}
