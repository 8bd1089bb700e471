// Level 2 of BLAS: matrices and vectors, in float and double.
#include "driver/libraries/cublas/product.h"
#include "driver/libraries/cublas/triangle.h"

/// Sets y to alpha times a product, plus beta times y, which is not read where beta is 0.
static void store_product(struct BlasCall* blas, const struct Vector* to, double alpha, double* product,
                          double beta) {
  const double* before = beta != 0 ? load_vector(blas, to) : NULL;
  if (beta != 0 && !before) return;
  for (size_t i = 0; i < to->count; ++i) product[i] = alpha * product[i] + (beta != 0 ? beta * before[i] : 0);
  store_vector(blas, to, product);
}

static cublasStatus_t gemv(const char* name, cublasHandle_t handle, int type, cublasOperation_t operation,
                           int m, int n, const void* alpha, const void* a, int leading, const void* x,
                           int x_step, const void* beta, void* y, int y_step) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_choice(&blas, "trans", (int)operation, CUBLAS_OP_C);
  const bool is_plain = operation == CUBLAS_OP_N;
  const int a_argument = enter_scalar(&blas, "alpha", type, alpha);
  const int b_argument = enter_scalar(&blas, "beta", type, beta);
  const struct Matrix matrix = enter_matrix(&blas, "A", type, a, m, n, leading, kReads);
  const struct Vector from = enter_vector(&blas, "x", type, x, is_plain ? n : m, x_step, kReads);
  const struct Vector to = enter_vector(&blas, "y", type, y, is_plain ? m : n, y_step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double *values = load_matrix(&blas, &matrix, operation), *u = load_vector(&blas, &from);
  double* product = make_buffer(&blas, to.count);
  if (!values || !u || !product) return finish(&blas);
  multiply_vector(to.count, from.count, values, u, product);
  store_product(&blas, &to, scalar_of(&blas, type, a_argument), product, scalar_of(&blas, type, b_argument));
  return finish(&blas);
}

static cublasStatus_t symv(const char* name, cublasHandle_t handle, int type, cublasFillMode_t triangle,
                           int n, const void* alpha, const void* a, int leading, const void* x, int x_step,
                           const void* beta, void* y, int y_step) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_choice(&blas, "uplo", (int)triangle, CUBLAS_FILL_MODE_UPPER);
  const int a_argument = enter_scalar(&blas, "alpha", type, alpha);
  const int b_argument = enter_scalar(&blas, "beta", type, beta);
  const struct Matrix matrix = enter_matrix(&blas, "A", type, a, n, n, leading, kReads);
  const struct Vector from = enter_vector(&blas, "x", type, x, n, x_step, kReads);
  const struct Vector to = enter_vector(&blas, "y", type, y, n, y_step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double *values = load_symmetric(&blas, &matrix, triangle), *u = load_vector(&blas, &from);
  double* product = make_buffer(&blas, to.count);
  if (!values || !u || !product) return finish(&blas);
  multiply_vector(to.count, from.count, values, u, product);
  store_product(&blas, &to, scalar_of(&blas, type, a_argument), product, scalar_of(&blas, type, b_argument));
  return finish(&blas);
}

static cublasStatus_t ger(const char* name, cublasHandle_t handle, int type, int m, int n, const void* alpha,
                          const void* x, int x_step, const void* y, int y_step, void* a, int leading) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  const int factor = enter_scalar(&blas, "alpha", type, alpha);
  const struct Vector first = enter_vector(&blas, "x", type, x, m, x_step, kReads);
  const struct Vector second = enter_vector(&blas, "y", type, y, n, y_step, kReads);
  const struct Matrix matrix = enter_matrix(&blas, "A", type, a, m, n, leading, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double *u = load_vector(&blas, &first), *v = load_vector(&blas, &second);
  if (!u || !v) return finish(&blas);
  for (size_t column = 0; column < matrix.columns; ++column)
    store_column(&blas, &matrix, column, 0, matrix.rows, scalar_of(&blas, type, factor) * v[column], u, 1);
  return finish(&blas);
}

/// Multiplies x by a triangular matrix, or solves for it.
static cublasStatus_t triangular(const char* name, cublasHandle_t handle, int type, cublasFillMode_t triangle,
                                 cublasOperation_t operation, cublasDiagType_t diagonal, int n, const void* a,
                                 int leading, void* x, int step, bool solves) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_choice(&blas, "uplo", (int)triangle, CUBLAS_FILL_MODE_UPPER);
  check_choice(&blas, "trans", (int)operation, CUBLAS_OP_C);
  check_choice(&blas, "diag", (int)diagonal, CUBLAS_DIAG_UNIT);
  const struct Matrix matrix = enter_matrix(&blas, "A", type, a, n, n, leading, kReads);
  const struct Vector vector = enter_vector(&blas, "x", type, x, n, step, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double* values = load_triangular(&blas, &matrix, triangle, operation, diagonal);
  double *u = load_vector(&blas, &vector), *product = make_buffer(&blas, vector.count);
  if (!values || !u || !product) return finish(&blas);
  if (solves)
    solve(values, vector.count, is_lower(triangle, operation), u, 1);
  else
    multiply_vector(vector.count, vector.count, values, u, product);
  store_vector(&blas, &vector, solves ? u : product);
  return finish(&blas);
}

#define FUNCTIONS(P, T, type)                                                                                \
  EXPORTED cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t operation, int m,      \
                                             int n, const T* alpha, const T* a, int leading, const T* x,     \
                                             int x_step, const T* beta, T* y, int y_step) {                  \
    return gemv("cublas" #P "gemv", handle, type, operation, m, n, alpha, a, leading, x, x_step, beta, y,    \
                y_step);                                                                                     \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##symv_v2(cublasHandle_t handle, cublasFillMode_t triangle, int n,        \
                                             const T* alpha, const T* a, int leading, const T* x,            \
                                             int x_step, const T* beta, T* y, int y_step) {                  \
    return symv("cublas" #P "symv", handle, type, triangle, n, alpha, a, leading, x, x_step, beta, y,        \
                y_step);                                                                                     \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
                                            int x_step, const T* y, int y_step, T* a, int leading) {         \
    return ger("cublas" #P "ger", handle, type, m, n, alpha, x, x_step, y, y_step, a, leading);              \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##trmv_v2(cublasHandle_t handle, cublasFillMode_t triangle,               \
                                             cublasOperation_t operation, cublasDiagType_t diagonal, int n,  \
                                             const T* a, int leading, T* x, int step) {                      \
    return triangular("cublas" #P "trmv", handle, type, triangle, operation, diagonal, n, a, leading, x,     \
                      step, false);                                                                          \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##P##trsv_v2(cublasHandle_t handle, cublasFillMode_t triangle,               \
                                             cublasOperation_t operation, cublasDiagType_t diagonal, int n,  \
                                             const T* a, int leading, T* x, int step) {                      \
    return triangular("cublas" #P "trsv", handle, type, triangle, operation, diagonal, n, a, leading, x,     \
                      step, true);                                                                           \
  }

FUNCTIONS(S, float, kFloat)
FUNCTIONS(D, double, kDouble)
