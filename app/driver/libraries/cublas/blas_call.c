#include "driver/libraries/cublas/blas_call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_live(cublasHandle_t handle) { return handle && handle->mark == kLiveHandle; }

void begin_blas(struct BlasCall* blas, const char* function, cublasHandle_t handle) {
  memset(blas, 0, sizeof *blas);
  const bool is_known = is_live(handle);
  begin_call(&blas->call, function, is_known ? handle->stream : NULL);
  blas->status = CUBLAS_STATUS_SUCCESS;
  blas->has_device_scalars = is_known && handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  if (!is_known)
    refuse_call(blas, CUBLAS_STATUS_NOT_INITIALIZED,
                "the handle is none of cublasCreate(), or was destroyed");
}

void refuse_call(struct BlasCall* blas, cublasStatus_t status, const char* format, ...) {
  char reason[kLongestReason];
  va_list values;
  if (blas->status != CUBLAS_STATUS_SUCCESS) return;
  va_start(values, format);
  vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  blas->status = status;
  give_reason(&blas->call, "%s", reason);
}

void check_size(struct BlasCall* blas, const char* role, long long size) {
  if (size < 0) refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "%s is %lld", role, size);
}

void check_choice(struct BlasCall* blas, const char* role, int value, int most) {
  if (value < 0 || value > most)
    refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "%s is %d, which has no meaning", role, value);
}

static int enter(struct BlasCall* blas, const char* role, const void* address, size_t size, size_t row,
                 enum Use use) {
  if (!address && size > 0) refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "%s is a null pointer", role);
  return add_argument(&blas->call, (struct LanescopeArgument){.role = role,
                                                              .address = address,
                                                              .size = size,
                                                              .row = row,
                                                              .is_written = use == kWrites,
                                                              .host = NULL});
}

/// Enters a number that the host has, or the device. The host's has a size of 0: nothing maps it.
static int enter_number(struct BlasCall* blas, const char* role, size_t size, const void* address,
                        enum Use use) {
  if (!address) refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "%s is a null pointer", role);
  const size_t on_device = blas->has_device_scalars ? size : 0;
  return enter(blas, role, address, on_device, on_device, use);
}

int enter_scalar(struct BlasCall* blas, const char* role, int type, const void* address) {
  return enter_number(blas, role, size_of_number(type), address, kReads);
}

int enter_result(struct BlasCall* blas, size_t bytes, void* address) {
  if (!blas->has_device_scalars) blas->call.keeps_host = true;
  return enter_number(blas, "result", bytes, address, kWrites);
}

struct Vector enter_vector(struct BlasCall* blas, const char* role, int type, const void* address, int count,
                           int step, enum Use use) {
  const size_t size = size_of_number(type), elements = count < 0 ? 0 : (size_t)count;
  const size_t stride = (size_t)(step < 0 ? -(long long)step : step);
  const size_t span = elements == 0 ? 0 : ((elements - 1) * stride + 1) * size;
  check_size(blas, "n", count);
  return (struct Vector){.argument = enter(blas, role, address, span, stride == 1 ? span : size, use),
                         .type = type,
                         .count = elements,
                         .step = step};
}

struct Matrix enter_matrix(struct BlasCall* blas, const char* role, int type, const void* address, int rows,
                           int columns, int leading, enum Use use) {
  check_size(blas, "a number of rows", rows);
  check_size(blas, "a number of columns", columns);
  if (leading < (rows > 1 ? rows : 1))
    refuse_call(blas, CUBLAS_STATUS_INVALID_VALUE, "the leading dimension of %s is %d, less than its %d rows",
                role, leading, rows > 1 ? rows : 1);
  struct Matrix matrix = {.type = type};
  if (blas->status != CUBLAS_STATUS_SUCCESS) return matrix;
  matrix.rows = (size_t)rows;
  matrix.columns = (size_t)columns;
  matrix.leading = (size_t)leading;
  const size_t size = size_of_number(type);
  const size_t span =
      rows == 0 || columns == 0 ? 0 : ((matrix.columns - 1) * matrix.leading + matrix.rows) * size;
  matrix.argument =
      enter(blas, role, address, span, rows == leading || span == 0 ? span : matrix.rows * size, use);
  return matrix;
}

bool ready(struct BlasCall* blas) {
  enum { kInvalidValue = 1, kOutOfMemory = 2, kInvalidHandle = 400 };  // of CUresult
  if (blas->status != CUBLAS_STATUS_SUCCESS) return false;
  switch (hold_arguments(&blas->call)) {
    case 0:
      return true;
    case kInvalidValue:
      refuse_call(blas, CUBLAS_STATUS_EXECUTION_FAILED, "an argument is not within memory of the device");
      return false;
    case kOutOfMemory:
      refuse_call(blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory left");
      return false;
    case kInvalidHandle:
      refuse_call(blas, CUBLAS_STATUS_EXECUTION_FAILED, "the stream of the handle is none, or was destroyed");
      return false;
    default:
      refuse_call(blas, CUBLAS_STATUS_EXECUTION_FAILED, "the device has failed before");
      return false;
  }
}

static const char* name_of_failure(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? NULL : cublasGetStatusName(status);
}

cublasStatus_t finish(struct BlasCall* blas) {
  for (int n = 0; n < blas->buffer_count; ++n) free(blas->buffers[n]);
  end_call(&blas->call, name_of_failure(blas->status));
  return blas->status;
}

double* make_buffer(struct BlasCall* blas, size_t count) {
  double* made = blas->buffer_count < kMostBuffers ? malloc((count + 1) * sizeof *made) : NULL;
  if (made)
    blas->buffers[blas->buffer_count++] = made;
  else
    refuse_call(blas, CUBLAS_STATUS_ALLOC_FAILED, "this process has no memory for %zu numbers", count);
  return made;
}

/// Place of element `element` of an argument.
static char* element_of(const struct BlasCall* blas, int argument, int type, size_t element) {
  const struct LanescopeArgument* found = &blas->call.arguments[argument];
  char* begin = found->size > 0 ? place_of(&blas->call, argument) : (char*)(uintptr_t)found->address;
  return begin + element * size_of_number(type);
}

double scalar_of(const struct BlasCall* blas, int type, int argument) {
  return load_number(type, element_of(blas, argument, type, 0));
}

static char* first_of(const struct BlasCall* blas, const struct Vector* vector) {
  const size_t behind =
      vector->step < 0 && vector->count > 0 ? (vector->count - 1) * (size_t)-vector->step : 0;
  return element_of(blas, vector->argument, vector->type, behind);
}

double* load_vector(struct BlasCall* blas, const struct Vector* vector) {
  double* values = make_buffer(blas, vector->count);
  if (values) load_numbers(vector->type, first_of(blas, vector), vector->step, vector->count, values);
  return values;
}

void store_vector(struct BlasCall* blas, const struct Vector* vector, const double* values) {
  store_numbers(vector->type, values, vector->count, first_of(blas, vector), vector->step);
}

void load_matrix_into(const struct BlasCall* blas, const struct Matrix* matrix, cublasOperation_t operation,
                      double* into) {
  const size_t rows = matrix->rows, columns = matrix->columns, leading = matrix->leading;
  if (operation == CUBLAS_OP_N) {
    for (size_t column = 0; column < columns; ++column)
      load_numbers(matrix->type,
                   element_of(blas, matrix->argument, matrix->type, matrix->offset + column * leading), 1,
                   rows, into + column * rows);
    return;
  }
  for (size_t row = 0; row < rows; ++row)
    load_numbers(matrix->type, element_of(blas, matrix->argument, matrix->type, matrix->offset + row),
                 (ptrdiff_t)leading, columns, into + row * columns);
}

double* load_matrix(struct BlasCall* blas, const struct Matrix* matrix, cublasOperation_t operation) {
  double* values = make_buffer(blas, matrix->rows * matrix->columns);
  if (values) load_matrix_into(blas, matrix, operation, values);
  return values;
}

void store_column(const struct BlasCall* blas, const struct Matrix* matrix, size_t column, size_t row,
                  size_t count, double alpha, double* values, double beta) {
  char* to =
      element_of(blas, matrix->argument, matrix->type, matrix->offset + column * matrix->leading + row);
  const size_t size = size_of_number(matrix->type);
  enum { kPart = 256 };
  for (size_t at = 0; at < count; at += kPart) {
    const size_t some = count - at < kPart ? count - at : kPart;
    double there[kPart];
    if (beta != 0) load_numbers(matrix->type, to + at * size, 1, some, there);
    for (size_t n = 0; n < some; ++n) there[n] = alpha * values[at + n] + (beta != 0 ? beta * there[n] : 0);
    store_numbers(matrix->type, there, some, to + at * size, 1);
  }
}

void store_matrix(const struct BlasCall* blas, const struct Matrix* matrix, double alpha, double* values,
                  double beta) {
  for (size_t column = 0; column < matrix->columns; ++column)
    store_column(blas, matrix, column, 0, matrix->rows, alpha, values + column * matrix->rows, beta);
}
