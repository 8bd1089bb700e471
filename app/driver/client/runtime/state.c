// Start of the runtime, its versions and errors.
#include "driver/client/report.h"
#include "driver/client/runtime/generated.h"
#include "driver/messages.h"

#include <pthread.h>
#include <string.h>

static __thread cudaError_t last = cudaSuccess;

cudaError_t answer_error(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

static const struct ErrorName* error_name(cudaError_t error) {
  for (const struct ErrorName* each = error_names; each->name; ++each)
    if (each->value == (int)error) return each;
  return NULL;
}

/// Converts a result to an error: both have the same numbers.
cudaError_t answer(CUresult result) {
  const cudaError_t error = (cudaError_t)result;
  return answer_error(error_name(error) ? error : cudaErrorUnknown);
}

static CUresult retain(int device, CUcontext* context) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static CUcontext primaries[kLanescopeMostDevices];
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  if (!primaries[device]) result = cuDevicePrimaryCtxRetain(&primaries[device], device);
  *context = primaries[device];
  pthread_mutex_unlock(&lock);
  return result;
}

CUresult start_runtime(void) {
  CUcontext current = NULL;
  CUresult result = cuCtxGetCurrent(&current);
  if (result == CUDA_SUCCESS && current) return CUDA_SUCCESS;
  if (result == CUDA_ERROR_NOT_INITIALIZED) result = cuInit(0);
  if (result == CUDA_SUCCESS) result = retain(0, &current);
  return result == CUDA_SUCCESS ? cuCtxSetCurrent(current) : result;
}

CUresult check_device_number(int device) {
  int count = 0;
  const CUresult result = cuDeviceGetCount(&count);
  if (result != CUDA_SUCCESS) return result;
  return device >= 0 && device < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

int current_device(void) {
  CUdevice device = 0;
  return cuCtxGetDevice(&device) == CUDA_SUCCESS ? device : 0;
}

CUresult primary_context(int device, CUcontext* context) {
  const CUresult result = check_device_number(device);
  return result == CUDA_SUCCESS ? retain(device, context) : result;
}

cudaError_t not_supported(const char* function) {
  const CUresult result = start_runtime();
  return answer(result != CUDA_SUCCESS ? result : (CUresult)lanescopeNotSupported(function));
}

cudaError_t begin_asynchronous(cudaStream_t stream) { ANSWER((CUresult)lanescopeBeginAsynchronous(stream)); }

void end_asynchronous(void) { lanescopeEndAsynchronous(); }

/// Returns and clears the last error. A kernel's failure is every thread's last error and is not cleared.
cudaError_t CUDARTAPI cudaGetLastError(void) {
  const cudaError_t error = cudaPeekAtLastError();
  last = cudaSuccess;
  return error;
}

cudaError_t CUDARTAPI cudaPeekAtLastError(void) {
  const cudaError_t failure = (cudaError_t)lanescopeFailure();
  return failure != cudaSuccess ? failure : last;
}

const char* CUDARTAPI cudaGetErrorName(cudaError_t error) {
  const struct ErrorName* found = error_name(error);
  return found ? found->name : "unrecognized error code";
}

const char* CUDARTAPI cudaGetErrorString(cudaError_t error) {
  const struct ErrorName* found = error_name(error);
  return found ? found->text : "unrecognized error code";
}

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) { return answer(cuDriverGetVersion(version)); }

cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  if (!version) return answer_error(cudaErrorInvalidValue);
  *version = LANESCOPE_CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaGetExportTable(const void** table, const cudaUUID_t* id) {
  (void)id;
  if (table) *table = NULL;
  return answer_error(cudaErrorNotSupported);
}

/// Finds a function of the driver in CUDA `version`. A missing function is a null pointer and no error.
static cudaError_t entry_point(const char* symbol, void** function, unsigned int version,
                               unsigned long long flags, enum cudaDriverEntryPointQueryResult* status) {
  CUdriverProcAddressQueryResult found;
  const CUresult result = cuGetProcAddress(symbol, function, (int)version, flags, &found);
  if (result == CUDA_SUCCESS && status) *status = (enum cudaDriverEntryPointQueryResult)found;
  return answer(result);
}

/// Finds a function in the version of this library. CUDA 11 declares it without `status`, and answers a
/// missing function with cudaErrorSymbolNotFound. Source: cuda_runtime_api.h of 11.8.
cudaError_t CUDARTAPI cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                              enum cudaDriverEntryPointQueryResult* status) {
  if (LANESCOPE_CUDART_VERSION >= 12000)
    return entry_point(symbol, function, LANESCOPE_CUDART_VERSION, flags, status);
  const cudaError_t error = entry_point(symbol, function, LANESCOPE_CUDART_VERSION, flags, NULL);
  return error == cudaSuccess && !*function ? answer_error(cudaErrorSymbolNotFound) : error;
}

cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                                       unsigned int version, unsigned long long flags,
                                                       enum cudaDriverEntryPointQueryResult* status) {
  return entry_point(symbol, function, version, flags, status);
}

// Declared in cuda_profiler_api.h, whose functions of the driver are in cudaProfiler.h.
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

EXPORTED cudaError_t cudaProfilerStart(void) { ANSWER(cuProfilerStart()); }

EXPORTED cudaError_t cudaProfilerStop(void) { ANSWER(cuProfilerStop()); }
