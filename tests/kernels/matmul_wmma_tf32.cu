// Matrix product on tensor cores in TF32: floats whose mantissa is rounded to ten bits on the way in.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void matmul_wmma_tf32(const float* a, const float* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 8) {
    wmma::load_matrix_sync(left, a + blockIdx.y * 16 * n + k, n);
    wmma::load_matrix_sync(right, b + blockIdx.x * 16 * n + k, n);
    for (int i = 0; i < left.num_elements; ++i) left.x[i] = wmma::__float_to_tf32(left.x[i]);
    for (int i = 0; i < right.num_elements; ++i) right.x[i] = wmma::__float_to_tf32(right.x[i]);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}
