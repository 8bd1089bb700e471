// Level 3 of BLAS but for gemm, and the extensions geam and dgmm, in float and double.
#include "driver/libraries/cublas/product.h"
#include "driver/libraries/cublas/triangle.h"

#include <string.h>

/// Choices that the functions with a triangle have.
struct Triangle {
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t operation;
  cublasDiagType_t diagonal;
};

static void check_triangle(struct BlasCall* blas, const struct Triangle* triangle) {
  check_choice(blas, "side", (int)triangle->side, CUBLAS_SIDE_RIGHT);
  check_choice(blas, "uplo", (int)triangle->fill, CUBLAS_FILL_MODE_UPPER);
  check_choice(blas, "trans", (int)triangle->operation, CUBLAS_OP_C);
  check_choice(blas, "diag", (int)triangle->diagonal, CUBLAS_DIAG_UNIT);
}

static cublasOperation_t turned(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// Sets C to alpha first second + beta C, of dense matrices of m x k and k x n.
static void multiply_into(struct BlasCall* blas, const struct Matrix* c, size_t k, const double* first,
                          const double* second, double alpha, double beta) {
  double* product = make_buffer(blas, c->rows * c->columns);
  if (!product || !first || !second) return;
  memset(product, 0, c->rows * c->columns * sizeof *product);
  if (!add_product(c->rows, c->columns, k, first, second, product)) {
    refuse_call(blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory left");
    return;
  }
  store_matrix(blas, c, alpha, product, beta);
}

static cublasStatus_t symm(const char* name, cublasHandle_t handle, int type, cublasSideMode_t side,
                           cublasFillMode_t fill, int m, int n, const void* alpha, const void* a, int lda,
                           const void* b, int ldb, const void* beta, void* c, int ldc) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_triangle(&blas, &(struct Triangle){side, fill, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT});
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  const int order = is_left ? m : n;
  const int a_argument = enter_scalar(&blas, "alpha", type, alpha);
  const int b_argument = enter_scalar(&blas, "beta", type, beta);
  const struct Matrix first = enter_matrix(&blas, "A", type, a, order, order, lda, kReads);
  const struct Matrix second = enter_matrix(&blas, "B", type, b, m, n, ldb, kReads);
  const struct Matrix to = enter_matrix(&blas, "C", type, c, m, n, ldc, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double* symmetric = load_symmetric(&blas, &first, fill);
  const double* other = load_matrix(&blas, &second, CUBLAS_OP_N);
  multiply_into(&blas, &to, first.rows, is_left ? symmetric : other, is_left ? other : symmetric,
                scalar_of(&blas, type, a_argument), scalar_of(&blas, type, b_argument));
  return finish(&blas);
}

static cublasStatus_t syrk(const char* name, cublasHandle_t handle, int type, cublasFillMode_t fill,
                           cublasOperation_t operation, int n, int k, const void* alpha, const void* a,
                           int lda, const void* beta, void* c, int ldc) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_triangle(&blas, &(struct Triangle){CUBLAS_SIDE_LEFT, fill, operation, CUBLAS_DIAG_NON_UNIT});
  const bool is_plain = operation == CUBLAS_OP_N;
  const int a_argument = enter_scalar(&blas, "alpha", type, alpha);
  const int b_argument = enter_scalar(&blas, "beta", type, beta);
  const struct Matrix from =
      enter_matrix(&blas, "A", type, a, is_plain ? n : k, is_plain ? k : n, lda, kReads);
  const struct Matrix to = enter_matrix(&blas, "C", type, c, n, n, ldc, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double* first = load_matrix(&blas, &from, operation);
  const double* second = load_matrix(&blas, &from, turned(operation));
  double* product = make_buffer(&blas, to.rows * to.rows);
  if (!first || !second || !product) return finish(&blas);
  memset(product, 0, to.rows * to.rows * sizeof *product);
  if (!add_product(to.rows, to.rows, (size_t)k, first, second, product))
    refuse_call(&blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory left");
  const double factor = scalar_of(&blas, type, a_argument), kept = scalar_of(&blas, type, b_argument);
  for (size_t column = 0; column < to.columns; ++column) {
    const size_t row = fill == CUBLAS_FILL_MODE_LOWER ? column : 0;
    const size_t count = fill == CUBLAS_FILL_MODE_LOWER ? to.rows - column : column + 1;
    store_column(&blas, &to, column, row, count, factor, product + column * to.rows + row, kept);
  }
  return finish(&blas);
}

static cublasStatus_t trmm(const char* name, cublasHandle_t handle, int type, struct Triangle triangle, int m,
                           int n, const void* alpha, const void* a, int lda, const void* b, int ldb, void* c,
                           int ldc) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_triangle(&blas, &triangle);
  const bool is_left = triangle.side == CUBLAS_SIDE_LEFT;
  const int order = is_left ? m : n;
  const int factor = enter_scalar(&blas, "alpha", type, alpha);
  const struct Matrix first = enter_matrix(&blas, "A", type, a, order, order, lda, kReads);
  const struct Matrix second = enter_matrix(&blas, "B", type, b, m, n, ldb, kReads);
  const struct Matrix to = enter_matrix(&blas, "C", type, c, m, n, ldc, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double* values = load_triangular(&blas, &first, triangle.fill, triangle.operation, triangle.diagonal);
  const double* other = load_matrix(&blas, &second, CUBLAS_OP_N);
  multiply_into(&blas, &to, first.rows, is_left ? values : other, is_left ? other : values,
                scalar_of(&blas, type, factor), 0);
  return finish(&blas);
}

/// Solves op(A) X = alpha B, or X op(A) = alpha B as op(A)^T X^T = alpha B^T; X takes the place of B.
static cublasStatus_t trsm(const char* name, cublasHandle_t handle, int type, struct Triangle triangle, int m,
                           int n, const void* alpha, const void* a, int lda, void* b, int ldb) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_triangle(&blas, &triangle);
  const bool is_left = triangle.side == CUBLAS_SIDE_LEFT;
  const int order = is_left ? m : n;
  const int factor = enter_scalar(&blas, "alpha", type, alpha);
  const struct Matrix first = enter_matrix(&blas, "A", type, a, order, order, lda, kReads);
  const struct Matrix to = enter_matrix(&blas, "B", type, b, m, n, ldb, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const cublasOperation_t operation = is_left ? triangle.operation : turned(triangle.operation);
  const double* values = load_triangular(&blas, &first, triangle.fill, operation, triangle.diagonal);
  double* solution = load_matrix(&blas, &to, is_left ? CUBLAS_OP_N : CUBLAS_OP_T);
  double* column = make_buffer(&blas, to.rows);
  if (!values || !solution || !column) return finish(&blas);
  const double scale = scalar_of(&blas, type, factor);
  for (size_t i = 0; i < to.rows * to.columns; ++i) solution[i] = scale == 0 ? 0 : solution[i] * scale;
  solve(values, first.rows, is_lower(triangle.fill, operation), solution, is_left ? to.columns : to.rows);
  for (size_t j = 0; j < to.columns; ++j) {
    for (size_t i = 0; i < to.rows; ++i)
      column[i] = is_left ? solution[j * to.rows + i] : solution[i * to.columns + j];
    store_column(&blas, &to, j, 0, to.rows, 1, column, 0);
  }
  return finish(&blas);
}

static cublasStatus_t geam(const char* name, cublasHandle_t handle, int type, cublasOperation_t a_operation,
                           cublasOperation_t b_operation, int m, int n, const void* alpha, const void* a,
                           int lda, const void* beta, const void* b, int ldb, void* c, int ldc) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_choice(&blas, "transa", (int)a_operation, CUBLAS_OP_C);
  check_choice(&blas, "transb", (int)b_operation, CUBLAS_OP_C);
  const bool a_is_plain = a_operation == CUBLAS_OP_N, b_is_plain = b_operation == CUBLAS_OP_N;
  // A matrix whose factor is 0 may be null.
  const bool has_a = a || blas.has_device_scalars || !alpha || load_number(type, alpha) != 0;
  const bool has_b = b || blas.has_device_scalars || !beta || load_number(type, beta) != 0;
  const int a_argument = enter_scalar(&blas, "alpha", type, alpha);
  const int b_argument = enter_scalar(&blas, "beta", type, beta);
  struct Matrix first = {.rows = 0}, second = {.rows = 0};
  if (has_a) first = enter_matrix(&blas, "A", type, a, a_is_plain ? m : n, a_is_plain ? n : m, lda, kReads);
  if (has_b) second = enter_matrix(&blas, "B", type, b, b_is_plain ? m : n, b_is_plain ? n : m, ldb, kReads);
  const struct Matrix to = enter_matrix(&blas, "C", type, c, m, n, ldc, kWrites);
  if (!ready(&blas)) return finish(&blas);
  const double p = scalar_of(&blas, type, a_argument), q = scalar_of(&blas, type, b_argument);
  const double* u = p != 0 ? load_matrix(&blas, &first, a_operation) : NULL;
  const double* v = q != 0 ? load_matrix(&blas, &second, b_operation) : NULL;
  double* sum = make_buffer(&blas, to.rows * to.columns);
  if (!sum || (p != 0 && !u) || (q != 0 && !v)) return finish(&blas);
  for (size_t i = 0; i < to.rows * to.columns; ++i) sum[i] = (u ? p * u[i] : 0) + (v ? q * v[i] : 0);
  store_matrix(&blas, &to, 1, sum, 0);
  return finish(&blas);
}

/// Multiplies the rows (left) or the columns of A by the numbers of x.
static cublasStatus_t dgmm(const char* name, cublasHandle_t handle, int type, cublasSideMode_t side, int m,
                           int n, const void* a, int lda, const void* x, int step, void* c, int ldc) {
  struct BlasCall blas;
  begin_blas(&blas, name, handle);
  check_choice(&blas, "mode", (int)side, CUBLAS_SIDE_RIGHT);
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  const struct Matrix from = enter_matrix(&blas, "A", type, a, m, n, lda, kReads);
  const struct Vector diagonal = enter_vector(&blas, "x", type, x, is_left ? m : n, step, kReads);
  const struct Matrix to = enter_matrix(&blas, "C", type, c, m, n, ldc, kWrites);
  if (!ready(&blas)) return finish(&blas);
  double *values = load_matrix(&blas, &from, CUBLAS_OP_N), *u = load_vector(&blas, &diagonal);
  if (!values || !u) return finish(&blas);
  for (size_t j = 0; j < to.columns; ++j)
    for (size_t i = 0; i < to.rows; ++i) values[j * to.rows + i] *= u[is_left ? i : j];
  store_matrix(&blas, &to, 1, values, 0);
  return finish(&blas);
}

#define SIDES cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill
#define TRIANGLE SIDES, cublasOperation_t operation, cublasDiagType_t diagonal

#define FUNCTIONS(P, T, type)                                                                               \
  EXPORTED cublasStatus_t cublas##P##symm_v2(SIDES, int m, int n, const T* alpha, const T* a, int lda,      \
                                             const T* b, int ldb, const T* beta, T* c, int ldc) {           \
    return symm("cublas" #P "symm", handle, type, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);   \
  }                                                                                                         \
  EXPORTED cublasStatus_t cublas##P##syrk_v2(cublasHandle_t handle, cublasFillMode_t fill,                  \
                                             cublasOperation_t operation, int n, int k, const T* alpha,     \
                                             const T* a, int lda, const T* beta, T* c, int ldc) {           \
    return syrk("cublas" #P "syrk", handle, type, fill, operation, n, k, alpha, a, lda, beta, c, ldc);      \
  }                                                                                                         \
  EXPORTED cublasStatus_t cublas##P##trmm_v2(TRIANGLE, int m, int n, const T* alpha, const T* a, int lda,   \
                                             const T* b, int ldb, T* c, int ldc) {                          \
    return trmm("cublas" #P "trmm", handle, type, (struct Triangle){side, fill, operation, diagonal}, m, n, \
                alpha, a, lda, b, ldb, c, ldc);                                                             \
  }                                                                                                         \
  EXPORTED cublasStatus_t cublas##P##trsm_v2(TRIANGLE, int m, int n, const T* alpha, const T* a, int lda,   \
                                             T* b, int ldb) {                                               \
    return trsm("cublas" #P "trsm", handle, type, (struct Triangle){side, fill, operation, diagonal}, m, n, \
                alpha, a, lda, b, ldb);                                                                     \
  }                                                                                                         \
  EXPORTED cublasStatus_t cublas##P##geam(                                                                  \
      cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m, int n,    \
      const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {             \
    return geam("cublas" #P "geam", handle, type, a_operation, b_operation, m, n, alpha, a, lda, beta, b,   \
                ldb, c, ldc);                                                                               \
  }                                                                                                         \
  EXPORTED cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                          const T* a, int lda, const T* x, int step, T* c, int ldc) {       \
    return dgmm("cublas" #P "dgmm", handle, type, side, m, n, a, lda, x, step, c, ldc);                     \
  }

FUNCTIONS(S, float, kFloat)
FUNCTIONS(D, double, kDouble)
