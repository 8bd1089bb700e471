/* Interface of cuBLAS as far as Lanescope's libcublas has it, for machines whose CUDA toolkit lacks NVIDIA's
   header. Names, values and parameters are those of NVIDIA's documentation ("cuBLAS", CUDA 13); functions of
   the same shape are declared together. Test: tests/programs/library_headers_test.py holds values and
   parameters against NVIDIA's header, where that is installed. */
#pragma once

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <driver_types.h>
#include <library_types.h>
#include <stdint.h>

#ifndef LANESCOPE_FUNCTIONS_ALONE
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef LANESCOPE_FUNCTIONS_ALONE /* of a test that has the types of NVIDIA's header */
typedef struct cublasContext* cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

/* Algorithms: all are one here. ALGO0 to ALGO23 are 0 to 23, ALGO0_TENSOR_OP to ALGO15_TENSOR_OP 100 to 115.
 */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1,
  CUBLAS_GEMM_ALGO2,
  CUBLAS_GEMM_ALGO3,
  CUBLAS_GEMM_ALGO4,
  CUBLAS_GEMM_ALGO5,
  CUBLAS_GEMM_ALGO6,
  CUBLAS_GEMM_ALGO7,
  CUBLAS_GEMM_ALGO8,
  CUBLAS_GEMM_ALGO9,
  CUBLAS_GEMM_ALGO10,
  CUBLAS_GEMM_ALGO11,
  CUBLAS_GEMM_ALGO12,
  CUBLAS_GEMM_ALGO13,
  CUBLAS_GEMM_ALGO14,
  CUBLAS_GEMM_ALGO15,
  CUBLAS_GEMM_ALGO16,
  CUBLAS_GEMM_ALGO17,
  CUBLAS_GEMM_ALGO18,
  CUBLAS_GEMM_ALGO19,
  CUBLAS_GEMM_ALGO20,
  CUBLAS_GEMM_ALGO21,
  CUBLAS_GEMM_ALGO22,
  CUBLAS_GEMM_ALGO23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP,
  CUBLAS_GEMM_ALGO2_TENSOR_OP,
  CUBLAS_GEMM_ALGO3_TENSOR_OP,
  CUBLAS_GEMM_ALGO4_TENSOR_OP,
  CUBLAS_GEMM_ALGO5_TENSOR_OP,
  CUBLAS_GEMM_ALGO6_TENSOR_OP,
  CUBLAS_GEMM_ALGO7_TENSOR_OP,
  CUBLAS_GEMM_ALGO8_TENSOR_OP,
  CUBLAS_GEMM_ALGO9_TENSOR_OP,
  CUBLAS_GEMM_ALGO10_TENSOR_OP,
  CUBLAS_GEMM_ALGO11_TENSOR_OP,
  CUBLAS_GEMM_ALGO12_TENSOR_OP,
  CUBLAS_GEMM_ALGO13_TENSOR_OP,
  CUBLAS_GEMM_ALGO14_TENSOR_OP,
  CUBLAS_GEMM_ALGO15_TENSOR_OP,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
#endif

/* The handle and its settings. */
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* streamId);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t workspaceSizeInBytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* smCountTarget);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

/* Copies between the host and the device. */
cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr, int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx, void* devicePtr,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx, void* hostPtr,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream);

/* The functions of a type T with the letter P: float with S, double with D. */
#define LANESCOPE_CUBLAS_FUNCTIONS(P, T)                                                                     \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx,      \
                                    T* y, int incy);                                                         \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);           \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);     \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);           \
  cublasStatus_t cublas##P##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c, \
                                   const T* s);                                                              \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, \
                                   T* result);                                                               \
  cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result);          \
  cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result);          \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,            \
                                    const T* alpha, const T* A, int lda, const T* x, int incx,               \
                                    const T* beta, T* y, int incy);                                          \
  cublasStatus_t cublas##P##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,     \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y,          \
                                    int incy);                                                               \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,          \
                                   int incx, const T* y, int incy, T* A, int lda);                           \
  cublasStatus_t cublas##P##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);      \
  cublasStatus_t cublas##P##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);      \
  cublasStatus_t cublas##P##gemm_v2(cublasHandle_t handle, cublasOperation_t transa,                         \
                                    cublasOperation_t transb, int m, int n, int k, const T* alpha,           \
                                    const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc); \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T* alpha,       \
                                        const T* const Aarray[], int lda, const T* const Barray[], int ldb,  \
                                        const T* beta, T* const Carray[], int ldc, int batchCount);          \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb,                       \
      long long int strideB, const T* beta, T* C, int ldc, long long int strideC, int batchCount);           \
  cublasStatus_t cublas##P##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    int m, int n, const T* alpha, const T* A, int lda, const T* B, int ldb,  \
                                    const T* beta, T* C, int ldc);                                           \
  cublasStatus_t cublas##P##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                    int n, int k, const T* alpha, const T* A, int lda, const T* beta, T* C,  \
                                    int ldc);                                                                \
  cublasStatus_t cublas##P##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,            \
                                    const T* alpha, const T* A, int lda, const T* B, int ldb, T* C,          \
                                    int ldc);                                                                \
  cublasStatus_t cublas##P##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,     \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,            \
                                    const T* alpha, const T* A, int lda, T* B, int ldb);                     \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, const T* alpha, const T* A, int lda, const T* beta,           \
                                 const T* B, int ldb, T* C, int ldc);                                        \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, const T* A,     \
                                 int lda, const T* x, int incx, T* C, int ldc);                              \
  cublasStatus_t cublasI##P##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result);       \
  cublasStatus_t cublasI##P##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result);
/* Letters of functions are capitals but in the names of cublasIsamax and its like. */
#define cublasISamax_v2 cublasIsamax_v2
#define cublasISamin_v2 cublasIsamin_v2
#define cublasIDamax_v2 cublasIdamax_v2
#define cublasIDamin_v2 cublasIdamin_v2
LANESCOPE_CUBLAS_FUNCTIONS(S, float)
LANESCOPE_CUBLAS_FUNCTIONS(D, double)

/* Products of matrices of several types. */
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                             int n, int k, const float* alpha, const void* A, cudaDataType Atype, int lda,
                             const void* B, cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                            const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* const Aarray[],
                                   cudaDataType Atype, int lda, const void* const Barray[],
                                   cudaDataType Btype, int ldb, const void* beta, void* const Carray[],
                                   cudaDataType Ctype, int ldc, int batchCount,
                                   cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType Atype, int lda, long long int strideA,
                                          const void* B, cudaDataType Btype, int ldb, long long int strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long int strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo);

#ifdef __cplusplus
/* CUDA's type of half is one of C++ alone. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const __half* alpha, const __half* A, int lda, const __half* B,
                           int ldb, const __half* beta, __half* C, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                  int m, int n, int k, const __half* alpha, const __half* const Aarray[],
                                  int lda, const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                                         const __half* A, int lda, long long int strideA, const __half* B,
                                         int ldb, long long int strideB, const __half* beta, __half* C,
                                         int ldc, long long int strideC, int batchCount);
}

#ifndef LANESCOPE_FUNCTIONS_ALONE
/* Programs from before CUDA 11 name the arithmetic by a type of data. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType Atype, int lda, const void* B,
                                          cudaDataType Btype, int ldb, const void* beta, void* C,
                                          cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  const cublasComputeType_t compute = computeType == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                                      : computeType == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                      : computeType == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                                                  : CUBLAS_COMPUTE_32F;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype,
                      ldc, compute, algo);
}
#endif
#endif
