// A call of cuBLAS: its handle, its arguments as scalars, vectors and matrices, and its status.
// Method: the first thing that is wrong decides the status; what follows then does nothing. Numbers are
// loaded into memory of the call as doubles, which finish() frees. Matrices are stored by columns, as in
// Fortran. Source: NVIDIA cuBLAS documentation, "Using the cuBLAS API"; BLAS Technical Forum Standard for
// negative steps. Test: tests/cli/library_test.cpp
#pragma once

#include "driver/libraries/call.h"
#include "driver/libraries/include/cublas_api.h"
#include "driver/libraries/number.h"

#define EXPORTED __attribute__((visibility("default")))

enum { kMostBuffers = 8, kLiveHandle = 0x63626c73 };
enum Use { kReads, kWrites };

struct cublasContext {
  uint32_t mark;  // kLiveHandle, until it is destroyed
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  cublasAtomicsMode_t atomics_mode;
  cublasMath_t math_mode;
  int multiprocessors;
};

struct BlasCall {
  struct Call call;
  bool has_device_scalars;
  cublasStatus_t status;
  double* buffers[kMostBuffers];
  int buffer_count;
};

/// A vector in memory. `step` may be negative: the first element is then the last in memory.
struct Vector {
  int argument, type;
  size_t count;
  ptrdiff_t step;
};

/// A matrix in memory.
struct Matrix {
  int argument, type;
  size_t rows, columns, leading;  // `leading`: elements from column to column
  size_t offset;                  // elements from the beginning of the argument
};

bool is_live(cublasHandle_t handle);

/// Begins a call. `handle`: null or dead gives CUBLAS_STATUS_NOT_INITIALIZED.
void begin_blas(struct BlasCall* blas, const char* function, cublasHandle_t handle);

/// Sets the status, if nothing was wrong before. `format`: the reason.
void refuse_call(struct BlasCall* blas, cublasStatus_t status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// CUBLAS_STATUS_INVALID_VALUE if a size is negative, or an enumerator is none of 0 to `most`.
void check_size(struct BlasCall* blas, const char* role, long long size);
void check_choice(struct BlasCall* blas, const char* role, int value, int most);

/// Enter arguments. A scalar is read from the host or from the device, by the handle's pointer mode; a result
/// is written there. CUBLAS_STATUS_INVALID_VALUE for a null pointer, or a matrix whose leading dimension is
/// less than its rows.
int enter_scalar(struct BlasCall* blas, const char* role, int type, const void* address);
int enter_result(struct BlasCall* blas, size_t bytes, void* address);
struct Vector enter_vector(struct BlasCall* blas, const char* role, int type, const void* address, int count,
                           int step, enum Use use);
struct Matrix enter_matrix(struct BlasCall* blas, const char* role, int type, const void* address, int rows,
                           int columns, int leading, enum Use use);

/// Holds the arguments. False if anything is wrong: the caller then returns finish().
bool ready(struct BlasCall* blas);
cublasStatus_t finish(struct BlasCall* blas);

/// Memory for `count` numbers, until finish(). Null sets CUBLAS_STATUS_ALLOC_FAILED.
double* make_buffer(struct BlasCall* blas, size_t count);

double scalar_of(const struct BlasCall* blas, int type, int argument);
double* load_vector(struct BlasCall* blas, const struct Vector* vector);
void store_vector(struct BlasCall* blas, const struct Vector* vector, const double* values);

/// The matrix, or its transpose, as a dense one by columns.
double* load_matrix(struct BlasCall* blas, const struct Matrix* matrix, cublasOperation_t operation);
void load_matrix_into(const struct BlasCall* blas, const struct Matrix* matrix, cublasOperation_t operation,
                      double* into);

/// Stores `count` elements of a column from `row` on: alpha values + beta times what is there, which is not
/// read where beta is 0.
void store_column(const struct BlasCall* blas, const struct Matrix* matrix, size_t column, size_t row,
                  size_t count, double alpha, double* values, double beta);

/// Stores a dense matrix: alpha values + beta times what is there.
void store_matrix(const struct BlasCall* blas, const struct Matrix* matrix, double alpha, double* values,
                  double beta);
