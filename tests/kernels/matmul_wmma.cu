// Matrix product on tensor cores through mma.h: a warp owns a 16 x 16 tile, halves in, floats out.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void matmul_wmma(const half* a, const half* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + blockIdx.y * 16 * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + blockIdx.x * 16, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}
