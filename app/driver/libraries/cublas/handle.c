// The handle of cuBLAS and its settings. Modes of arithmetic are kept, and change nothing.
#include "driver/libraries/cublas/blas_call.h"

#include <stdlib.h>

static cublasStatus_t created(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  if (lanescopeStartLibrary() != 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  struct cublasContext* made = calloc(1, sizeof *made);
  if (!made) return CUBLAS_STATUS_ALLOC_FAILED;
  made->mark = kLiveHandle;
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  const cublasStatus_t status = created(handle);
  struct Call call;
  if (status == CUBLAS_STATUS_SUCCESS) return status;
  begin_call(&call, "cublasCreate", NULL);
  give_reason(&call, handle ? "there is no device" : "the pointer to the handle is null");
  end_call(&call, cublasGetStatusName(status));
  return status;
}

EXPORTED cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!is_live(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->mark = 0;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  (void)handle;
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

EXPORTED cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  const int numbers[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  if (!value || (unsigned)type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = numbers[type];
  return CUBLAS_STATUS_SUCCESS;
}

EXPORTED size_t cublasGetCudartVersion(void) { return 13000; }

/// Sets or gets a setting of a live handle.
#define SETTING(name, type, member)                                             \
  EXPORTED cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {  \
    if (!is_live(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;                 \
    handle->member = value;                                                     \
    return CUBLAS_STATUS_SUCCESS;                                               \
  }                                                                             \
  EXPORTED cublasStatus_t cublasGet##name(cublasHandle_t handle, type* value) { \
    if (!is_live(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;                 \
    if (!value) return CUBLAS_STATUS_INVALID_VALUE;                             \
    *value = handle->member;                                                    \
    return CUBLAS_STATUS_SUCCESS;                                               \
  }

SETTING(Stream_v2, cudaStream_t, stream)
SETTING(PointerMode_v2, cublasPointerMode_t, pointer_mode)
SETTING(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
SETTING(MathMode, cublasMath_t, math_mode)
SETTING(SmCountTarget, int, multiprocessors)

EXPORTED cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  (void)workspace, (void)bytes;
  return is_live(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

struct StatusText {
  cublasStatus_t status;
  const char *name, *text;
};
#define STATUS(name, text) {CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text}
static const struct StatusText kTexts[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires a feature that the device lacks"),
    STATUS(MAPPING_ERROR, "an access to memory of the device failed"),
    STATUS(EXECUTION_FAILED, "the function failed to run on the device"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the functionality is not supported"),
    STATUS(LICENSE_ERROR, "the license could not be checked"),
};

static const struct StatusText* text_of(cublasStatus_t status) {
  for (size_t n = 0; n < sizeof kTexts / sizeof *kTexts; ++n)
    if (kTexts[n].status == status) return &kTexts[n];
  return NULL;
}

EXPORTED const char* cublasGetStatusName(cublasStatus_t status) {
  const struct StatusText* found = text_of(status);
  return found ? found->name : "unknown status";
}

EXPORTED const char* cublasGetStatusString(cublasStatus_t status) {
  const struct StatusText* found = text_of(status);
  return found ? found->text : "unknown status";
}
