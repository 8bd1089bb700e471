/* Interface of cuBLASLt as far as Lanescope's libcublasLt has it: handles, for programs that make one and
   never use it. Names and parameters are those of NVIDIA's documentation ("cuBLAS", CUDA 13). Test:
   tests/programs/library_headers_test.py */
#pragma once

#include <cublas_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasLtContext* cublasLtHandle_t;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* lightHandle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle);
const char* cublasLtGetStatusName(cublasStatus_t status);
const char* cublasLtGetStatusString(cublasStatus_t status);
size_t cublasLtGetVersion(void);
size_t cublasLtGetCudartVersion(void);

#ifdef __cplusplus
}
#endif
