// Functions of cuBLAS that are not there: each tells `lanescope run` its name, and answers that it is not
// supported. Their arguments are not looked at.
#include "driver/libraries/cublas/blas_call.h"

#include <stdio.h>
#include <string.h>

/// `symbol`: with the version that programs do not write, as in cublasCaxpy_v2.
static cublasStatus_t refuse_function(const char* symbol) {
  char name[80];
  snprintf(name, sizeof name, "%s", symbol);
  char* version = strstr(name, "_v2");
  if (version) memmove(version, version + 3, strlen(version + 3) + 1);
  note_not_supported(name);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define LACKS(function)          \
  cublasStatus_t function(void); \
  EXPORTED cublasStatus_t function(void) { return refuse_function(#function); }
#include "driver/libraries/cublas/not_supported.def"
