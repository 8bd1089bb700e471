// Copies of vectors and matrices between the host and the device: those of the driver, with cuBLAS's names.
#include "driver/client/report.h"
#include "driver/libraries/cublas/blas_call.h"

#include <cuda.h>

/// `rows` x `columns` elements of `size` bytes; a leading dimension is from column to column.
struct BlasCopy {
  const char* name;
  int rows, columns, size;
  const void* from;
  int from_leading;
  void* to;
  int to_leading;
  bool is_to_device, is_asynchronous;
  cudaStream_t stream;
};

static CUresult carry_out(const struct BlasCopy* copy) {
  const CUmemorytype from = copy->is_to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  const CUmemorytype to = copy->is_to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  const CUDA_MEMCPY2D box = {.srcMemoryType = from,
                             .srcHost = copy->from,
                             .srcDevice = (CUdeviceptr)(uintptr_t)copy->from,
                             .srcPitch = (size_t)copy->from_leading * (size_t)copy->size,
                             .dstMemoryType = to,
                             .dstHost = copy->to,
                             .dstDevice = (CUdeviceptr)(uintptr_t)copy->to,
                             .dstPitch = (size_t)copy->to_leading * (size_t)copy->size,
                             .WidthInBytes = (size_t)copy->rows * (size_t)copy->size,
                             .Height = (size_t)copy->columns};
  CUresult result = (CUresult)lanescopeStartLibrary();
  if (result == CUDA_SUCCESS && copy->is_asynchronous)
    result = (CUresult)lanescopeBeginAsynchronous(copy->stream);
  if (result != CUDA_SUCCESS) return result;
  result = cuMemcpy2DUnaligned(&box);
  if (copy->is_asynchronous) lanescopeEndAsynchronous();
  return result;
}

static cublasStatus_t copy_matrix(const struct BlasCopy* copy) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  struct Call call;
  begin_call(&call, copy->name, copy->stream);
  if (copy->rows < 0 || copy->columns < 0 || copy->size <= 0 || copy->from_leading < copy->rows ||
      copy->to_leading < copy->rows || copy->from_leading <= 0 || copy->to_leading <= 0) {
    give_reason(&call, "%d x %d elements of %d bytes do not lie %d and %d elements apart", copy->rows,
                copy->columns, copy->size, copy->from_leading, copy->to_leading);
    status = CUBLAS_STATUS_INVALID_VALUE;
  } else if (copy->rows > 0 && copy->columns > 0 && carry_out(copy) != CUDA_SUCCESS) {
    give_reason(&call, "the copy is not within memory of the host and of the device");
    status = CUBLAS_STATUS_MAPPING_ERROR;
  }
  end_call(&call, status == CUBLAS_STATUS_SUCCESS ? NULL : cublasGetStatusName(status));
  return status;
}

/// A vector is a matrix of one row.
#define COPIES(name, to_device)                                                                              \
  EXPORTED cublasStatus_t cublas##name##Vector(int n, int size, const void* x, int x_step, void* y,          \
                                               int y_step) {                                                 \
    return copy_matrix(&(struct BlasCopy){"cublas" #name "Vector", n > 0, n, size, x, x_step, y, y_step,     \
                                          to_device, false, NULL});                                          \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##name##VectorAsync(int n, int size, const void* x, int x_step, void* y,     \
                                                    int y_step, cudaStream_t stream) {                       \
    return copy_matrix(&(struct BlasCopy){"cublas" #name "VectorAsync", n > 0, n, size, x, x_step, y,        \
                                          y_step, to_device, true, stream});                                 \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##name##Matrix(int rows, int columns, int size, const void* a, int lda,      \
                                               void* b, int ldb) {                                           \
    return copy_matrix(&(struct BlasCopy){"cublas" #name "Matrix", rows, columns, size, a, lda, b, ldb,      \
                                          to_device, false, NULL});                                          \
  }                                                                                                          \
  EXPORTED cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int size, const void* a, int lda, \
                                                    void* b, int ldb, cudaStream_t stream) {                 \
    return copy_matrix(&(struct BlasCopy){"cublas" #name "MatrixAsync", rows, columns, size, a, lda, b, ldb, \
                                          to_device, true, stream});                                         \
  }

COPIES(Set, true)
COPIES(Get, false)
