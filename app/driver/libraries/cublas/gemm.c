// Products of matrices, alone and in batches, of all types. Every function is one of three shapes: matrices
// that lie a stride apart, of which a single product is the simplest case, and matrices whose addresses are
// in an array in the device's memory.
#include "driver/libraries/cublas/blas_call.h"
#include "driver/libraries/cublas/product.h"

#include <stdlib.h>
#include <string.h>

/// A matrix of each product.
struct Factor {
  const void* address;  // of the first matrix, or of an array of addresses
  int type, leading;
  long long stride;  // elements
};

struct Gemm {
  const char* name;
  cublasHandle_t handle;
  cublasOperation_t a_operation, b_operation;
  int m, n, k, scalar_type, batch;
  const void *alpha, *beta;
  struct Factor a, b, c;
};

static int rows_of(cublasOperation_t operation, int rows, int columns) {
  return operation == CUBLAS_OP_N ? rows : columns;
}

static void check(struct BlasCall* blas, const struct Gemm* gemm) {
  check_choice(blas, "transa", (int)gemm->a_operation, CUBLAS_OP_C);
  check_choice(blas, "transb", (int)gemm->b_operation, CUBLAS_OP_C);
  check_size(blas, "m", gemm->m);
  check_size(blas, "n", gemm->n);
  check_size(blas, "k", gemm->k);
  check_size(blas, "batchCount", gemm->batch);
  if (size_of_number(gemm->a.type) == 0 || size_of_number(gemm->b.type) == 0 ||
      size_of_number(gemm->c.type) == 0 || size_of_number(gemm->scalar_type) == 0)
    refuse_call(blas, CUBLAS_STATUS_NOT_SUPPORTED,
                "the types of data %d, %d and %d are not there together; float, double, half, bfloat16 and "
                "integers of 8 and 32 bits are",
                gemm->a.type, gemm->b.type, gemm->c.type);
}

/// Enters a matrix of the product, and those that lie behind it at its stride.
static struct Matrix enter(struct BlasCall* blas, const struct Gemm* gemm, const char* role,
                           const struct Factor* factor, const void* address, int rows, int columns,
                           enum Use use) {
  struct Matrix matrix = enter_matrix(blas, role, factor->type, address, rows, columns, factor->leading, use);
  if (blas->status != CUBLAS_STATUS_SUCCESS || factor->stride == 0 || gemm->batch < 2) return matrix;
  struct LanescopeArgument* entered = &blas->call.arguments[matrix.argument];
  if (factor->stride < 0)
    refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "the stride of %s is %lld", role, factor->stride);
  else if (entered->size > 0)
    entered->size += (size_t)(gemm->batch - 1) * (size_t)factor->stride * size_of_number(factor->type);
  return matrix;
}

struct Product {
  struct Matrix a, b, c;
};

static struct Product enter_product(struct BlasCall* blas, const struct Gemm* gemm, const void* a,
                                    const void* b, const void* c) {
  const int m = gemm->m, n = gemm->n, k = gemm->k;
  struct Product product;
  product.a = enter(blas, gemm, "A", &gemm->a, a, rows_of(gemm->a_operation, m, k),
                    rows_of(gemm->a_operation, k, m), kReads);
  product.b = enter(blas, gemm, "B", &gemm->b, b, rows_of(gemm->b_operation, k, n),
                    rows_of(gemm->b_operation, n, k), kReads);
  product.c = enter(blas, gemm, "C", &gemm->c, c, m, n, kWrites);
  return product;
}

/// Memory of one product, used again by the next one of a batch.
struct Workspace {
  double *a, *b, *c;
};

static bool make_workspace(struct BlasCall* blas, const struct Gemm* gemm, struct Workspace* made) {
  const size_t m = (size_t)gemm->m, n = (size_t)gemm->n, k = (size_t)gemm->k;
  made->a = make_buffer(blas, m * k);
  made->b = make_buffer(blas, k * n);
  made->c = make_buffer(blas, m * n);
  return made->a && made->b && made->c;
}

static void multiply(struct BlasCall* blas, const struct Gemm* gemm, const struct Product* product,
                     struct Workspace work, double alpha, double beta) {
  const size_t m = (size_t)gemm->m, n = (size_t)gemm->n, k = (size_t)gemm->k;
  memset(work.c, 0, m * n * sizeof *work.c);
  if (alpha != 0 && k > 0) {
    load_matrix_into(blas, &product->a, gemm->a_operation, work.a);
    load_matrix_into(blas, &product->b, gemm->b_operation, work.b);
    if (!add_product(m, n, k, work.a, work.b, work.c))
      refuse_call(blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory left");
  }
  store_matrix(blas, &product->c, alpha, work.c, beta);
}

/// Products of matrices that lie a stride apart; `batch` is 1 for a single one.
static cublasStatus_t multiply_strided(const struct Gemm* gemm) {
  struct BlasCall blas;
  struct Workspace work;
  begin_blas(&blas, gemm->name, gemm->handle);
  check(&blas, gemm);
  const int alpha = enter_scalar(&blas, "alpha", gemm->scalar_type, gemm->alpha);
  const int beta = enter_scalar(&blas, "beta", gemm->scalar_type, gemm->beta);
  struct Product product = enter_product(&blas, gemm, gemm->a.address, gemm->b.address, gemm->c.address);
  if (gemm->m == 0 || gemm->n == 0 || gemm->batch == 0) return finish(&blas);
  if (!ready(&blas) || !make_workspace(&blas, gemm, &work)) return finish(&blas);
  for (int n = 0; n < gemm->batch; ++n) {
    product.a.offset = (size_t)n * (size_t)gemm->a.stride;
    product.b.offset = (size_t)n * (size_t)gemm->b.stride;
    product.c.offset = (size_t)n * (size_t)gemm->c.stride;
    multiply(&blas, gemm, &product, work, scalar_of(&blas, gemm->scalar_type, alpha),
             scalar_of(&blas, gemm->scalar_type, beta));
  }
  return finish(&blas);
}

/// Copies the three arrays of addresses from the device: [A, B, C][batch]. Null: `blas` has the reason.
static const void** copy_addresses(struct BlasCall* blas, const struct Gemm* gemm) {
  const void* const arrays[3] = {gemm->a.address, gemm->b.address, gemm->c.address};
  const char* const roles[3] = {"array of A", "array of B", "array of C"};
  const size_t bytes = (size_t)gemm->batch * sizeof(void*);
  const void** addresses = malloc(3 * bytes + 1);
  struct BlasCall arguments;
  begin_blas(&arguments, gemm->name, gemm->handle);
  for (int n = 0; n < 3; ++n)
    add_argument(&arguments.call, (struct LanescopeArgument){
                                      .role = roles[n], .address = arrays[n], .size = bytes, .row = bytes});
  if (addresses && ready(&arguments))
    for (size_t n = 0; n < 3; ++n)
      memcpy((char*)addresses + n * bytes, place_of(&arguments.call, (int)n), bytes);
  else
    refuse_call(blas, CUBLAS_STATUS_EXECUTION_FAILED,
                "the arrays of addresses are not in the device's memory");
  const bool is_copied = blas->status == CUBLAS_STATUS_SUCCESS;
  drop_arguments(&arguments.call);
  if (is_copied) return addresses;
  free(addresses);
  return NULL;
}

static cublasStatus_t multiply_listed(struct BlasCall* blas, const struct Gemm* gemm, const void** addresses,
                                      struct Product* products) {
  const size_t batch = (size_t)gemm->batch;
  struct Workspace work;
  const int alpha = enter_scalar(blas, "alpha", gemm->scalar_type, gemm->alpha);
  const int beta = enter_scalar(blas, "beta", gemm->scalar_type, gemm->beta);
  for (size_t n = 0; n < batch; ++n)
    products[n] = enter_product(blas, gemm, addresses[n], addresses[batch + n], addresses[2 * batch + n]);
  if (!ready(blas) || !make_workspace(blas, gemm, &work)) return finish(blas);
  for (size_t n = 0; n < batch; ++n)
    multiply(blas, gemm, &products[n], work, scalar_of(blas, gemm->scalar_type, alpha),
             scalar_of(blas, gemm->scalar_type, beta));
  return finish(blas);
}

/// Products of matrices whose addresses are in arrays of the device.
static cublasStatus_t multiply_batch(const struct Gemm* gemm) {
  struct BlasCall blas;
  begin_blas(&blas, gemm->name, gemm->handle);
  check(&blas, gemm);
  const bool is_wrong = blas.status != CUBLAS_STATUS_SUCCESS;
  if (is_wrong || gemm->m == 0 || gemm->n == 0 || gemm->batch == 0) return finish(&blas);
  const void** addresses = copy_addresses(&blas, gemm);
  struct Product* products = malloc((size_t)gemm->batch * sizeof *products);
  if (!products) refuse_call(&blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory left");
  const cublasStatus_t status =
      addresses && products ? multiply_listed(&blas, gemm, addresses, products) : finish(&blas);
  free(products);
  free(addresses);
  return status;
}

/// The type of the scalars of an arithmetic, which may be a cudaDataType, as before CUDA 11.
static int scalar_type_of(cublasComputeType_t compute) {
  switch ((int)compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return kHalf;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return kDouble;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return kInt32;
    case kDouble:
    case kHalf:
    case kInt32:
      return (int)compute;
    default:
      return kFloat;
  }
}

// Parameters and values that all functions share.
#define SHAPE \
  cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m, int n, int k
#define GEMM(function, scalar)                                                                        \
  .name = function, .handle = handle, .a_operation = a_operation, .b_operation = b_operation, .m = m, \
  .n = n, .k = k, .scalar_type = scalar, .alpha = alpha, .beta = beta

/// The exported functions of a type. `name`: of the single product; `stem`: of the others.
#define FUNCTIONS(name, stem, word, T, type)                                                                 \
  EXPORTED cublasStatus_t name(SHAPE, const T* alpha, const T* a, int lda, const T* b, int ldb,              \
                               const T* beta, T* c, int ldc) {                                               \
    return multiply_strided(&(struct Gemm){GEMM(word, type), .batch = 1, .a = {a, type, lda, 0},             \
                                           .b = {b, type, ldb, 0}, .c = {c, type, ldc, 0}});                 \
  }                                                                                                          \
  EXPORTED cublasStatus_t stem##Batched(SHAPE, const T* alpha, const T* const a[], int lda,                  \
                                        const T* const b[], int ldb, const T* beta, T* const c[], int ldc,   \
                                        int batch) {                                                         \
    return multiply_batch(&(struct Gemm){GEMM(word "Batched", type), .batch = batch, .a = {a, type, lda, 0}, \
                                         .b = {b, type, ldb, 0}, .c = {c, type, ldc, 0}});                   \
  }                                                                                                          \
  EXPORTED cublasStatus_t stem##StridedBatched(                                                              \
      SHAPE, const T* alpha, const T* a, int lda, long long a_stride, const T* b, int ldb,                   \
      long long b_stride, const T* beta, T* c, int ldc, long long c_stride, int batch) {                     \
    return multiply_strided(&(struct Gemm){GEMM(word "StridedBatched", type), .batch = batch,                \
                                           .a = {a, type, lda, a_stride}, .b = {b, type, ldb, b_stride},     \
                                           .c = {c, type, ldc, c_stride}});                                  \
  }

FUNCTIONS(cublasSgemm_v2, cublasSgemm, "cublasSgemm", float, kFloat)
FUNCTIONS(cublasDgemm_v2, cublasDgemm, "cublasDgemm", double, kDouble)
// CUDA's type of half is one of C++ alone; its functions are declared for C++.
typedef uint16_t Half;
cublasStatus_t cublasHgemm(SHAPE, const Half*, const Half*, int, const Half*, int, const Half*, Half*, int);
FUNCTIONS(cublasHgemm, cublasHgemm, "cublasHgemm", Half, kHalf)

EXPORTED cublasStatus_t cublasSgemmEx(SHAPE, const float* alpha, const void* a, cudaDataType a_type, int lda,
                                      const void* b, cudaDataType b_type, int ldb, const float* beta, void* c,
                                      cudaDataType c_type, int ldc) {
  return multiply_strided(&(struct Gemm){GEMM("cublasSgemmEx", kFloat), .batch = 1,
                                         .a = {a, (int)a_type, lda, 0}, .b = {b, (int)b_type, ldb, 0},
                                         .c = {c, (int)c_type, ldc, 0}});
}

EXPORTED cublasStatus_t cublasGemmEx(SHAPE, const void* alpha, const void* a, cudaDataType a_type, int lda,
                                     const void* b, cudaDataType b_type, int ldb, const void* beta, void* c,
                                     cudaDataType c_type, int ldc, cublasComputeType_t compute,
                                     cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  return multiply_strided(&(struct Gemm){GEMM("cublasGemmEx", scalar_type_of(compute)), .batch = 1,
                                         .a = {a, (int)a_type, lda, 0}, .b = {b, (int)b_type, ldb, 0},
                                         .c = {c, (int)c_type, ldc, 0}});
}

EXPORTED cublasStatus_t cublasGemmBatchedEx(SHAPE, const void* alpha, const void* const a[],
                                            cudaDataType a_type, int lda, const void* const b[],
                                            cudaDataType b_type, int ldb, const void* beta, void* const c[],
                                            cudaDataType c_type, int ldc, int batch,
                                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  return multiply_batch(&(struct Gemm){GEMM("cublasGemmBatchedEx", scalar_type_of(compute)), .batch = batch,
                                       .a = {a, (int)a_type, lda, 0}, .b = {b, (int)b_type, ldb, 0},
                                       .c = {c, (int)c_type, ldc, 0}});
}

EXPORTED cublasStatus_t cublasGemmStridedBatchedEx(
    SHAPE, const void* alpha, const void* a, cudaDataType a_type, int lda, long long a_stride, const void* b,
    cudaDataType b_type, int ldb, long long b_stride, const void* beta, void* c, cudaDataType c_type, int ldc,
    long long c_stride, int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  return multiply_strided(&(struct Gemm){GEMM("cublasGemmStridedBatchedEx", scalar_type_of(compute)),
                                         .batch = batch, .a = {a, (int)a_type, lda, a_stride},
                                         .b = {b, (int)b_type, ldb, b_stride},
                                         .c = {c, (int)c_type, ldc, c_stride}});
}
