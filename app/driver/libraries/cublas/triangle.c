#include "driver/libraries/cublas/triangle.h"

bool is_lower(cublasFillMode_t triangle, cublasOperation_t operation) {
  return (triangle == CUBLAS_FILL_MODE_LOWER) == (operation == CUBLAS_OP_N);
}

double* load_symmetric(struct BlasCall* blas, const struct Matrix* matrix, cublasFillMode_t triangle) {
  const size_t n = matrix->rows;
  double* values = load_matrix(blas, matrix, CUBLAS_OP_N);
  for (size_t column = 0; values && column < n; ++column)
    for (size_t row = column + 1; row < n; ++row) {
      if (triangle == CUBLAS_FILL_MODE_LOWER)
        values[row * n + column] = values[column * n + row];
      else
        values[column * n + row] = values[row * n + column];
    }
  return values;
}

double* load_triangular(struct BlasCall* blas, const struct Matrix* matrix, cublasFillMode_t triangle,
                        cublasOperation_t operation, cublasDiagType_t diagonal) {
  const size_t n = matrix->rows;
  const bool keeps_lower = is_lower(triangle, operation);
  double* values = load_matrix(blas, matrix, operation);
  for (size_t column = 0; values && column < n; ++column) {
    for (size_t row = 0; row < n; ++row)
      if (row != column && (row > column) != keeps_lower) values[column * n + row] = 0;
    if (diagonal == CUBLAS_DIAG_UNIT) values[column * n + column] = 1;
  }
  return values;
}

static void solve_column(const double* t, size_t n, bool t_is_lower, double* x) {
  for (size_t step = 0; step < n; ++step) {
    const size_t j = t_is_lower ? step : n - 1 - step;
    const double* column = t + j * n;
    x[j] /= column[j];
    const size_t first = t_is_lower ? j + 1 : 0, end = t_is_lower ? n : j;
    for (size_t i = first; i < end; ++i) x[i] -= x[j] * column[i];
  }
}

void solve(const double* t, size_t n, bool t_is_lower, double* b, size_t columns) {
  for (size_t column = 0; column < columns; ++column) solve_column(t, n, t_is_lower, b + column * n);
}
