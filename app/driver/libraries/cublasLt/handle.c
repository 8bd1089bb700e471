// The handle of cuBLASLt, and its functions that are not there, by the names that NVIDIA's header of CUDA 13
// declares: each tells `lanescope run` its name, and answers that it is not supported.
#include "driver/libraries/call.h"
#include "driver/libraries/include/cublasLt.h"

#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  if (lanescopeStartLibrary() != 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = malloc(1);  // an address of its own
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORTED cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  free(handle);
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

EXPORTED const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS         ? "CUBLAS_STATUS_SUCCESS"
         : status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                                 : "another status";
}

EXPORTED const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasLtGetStatusName(status); }

EXPORTED size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

EXPORTED size_t cublasLtGetCudartVersion(void) { return 13000; }

#define LACKS(function)                    \
  cublasStatus_t function(void);           \
  EXPORTED cublasStatus_t function(void) { \
    note_not_supported(#function);         \
    return CUBLAS_STATUS_NOT_SUPPORTED;    \
  }
LACKS(cublasLtEmulationDescCreate)
LACKS(cublasLtEmulationDescDestroy)
LACKS(cublasLtEmulationDescGetAttribute)
LACKS(cublasLtEmulationDescInit_internal)
LACKS(cublasLtEmulationDescSetAttribute)
LACKS(cublasLtGetProperty)
LACKS(cublasLtHeuristicsCacheGetCapacity)
LACKS(cublasLtHeuristicsCacheSetCapacity)
LACKS(cublasLtLoggerForceDisable)
LACKS(cublasLtLoggerOpenFile)
LACKS(cublasLtLoggerSetCallback)
LACKS(cublasLtLoggerSetFile)
LACKS(cublasLtLoggerSetLevel)
LACKS(cublasLtLoggerSetMask)
LACKS(cublasLtMatmul)
LACKS(cublasLtMatmulAlgoCapGetAttribute)
LACKS(cublasLtMatmulAlgoCheck)
LACKS(cublasLtMatmulAlgoConfigGetAttribute)
LACKS(cublasLtMatmulAlgoConfigSetAttribute)
LACKS(cublasLtMatmulAlgoGetHeuristic)
LACKS(cublasLtMatmulAlgoGetIds)
LACKS(cublasLtMatmulAlgoInit)
LACKS(cublasLtMatmulDescCreate)
LACKS(cublasLtMatmulDescDestroy)
LACKS(cublasLtMatmulDescGetAttribute)
LACKS(cublasLtMatmulDescInit_internal)
LACKS(cublasLtMatmulDescSetAttribute)
LACKS(cublasLtMatmulPreferenceCreate)
LACKS(cublasLtMatmulPreferenceDestroy)
LACKS(cublasLtMatmulPreferenceGetAttribute)
LACKS(cublasLtMatmulPreferenceInit_internal)
LACKS(cublasLtMatmulPreferenceSetAttribute)
LACKS(cublasLtMatrixLayoutCreate)
LACKS(cublasLtMatrixLayoutDestroy)
LACKS(cublasLtMatrixLayoutGetAttribute)
LACKS(cublasLtMatrixLayoutInit_internal)
LACKS(cublasLtMatrixLayoutSetAttribute)
LACKS(cublasLtMatrixTransform)
LACKS(cublasLtMatrixTransformDescCreate)
LACKS(cublasLtMatrixTransformDescDestroy)
LACKS(cublasLtMatrixTransformDescGetAttribute)
LACKS(cublasLtMatrixTransformDescInit_internal)
LACKS(cublasLtMatrixTransformDescSetAttribute)
