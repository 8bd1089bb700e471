// Functions cuInit and cuGetProcAddress.
#include "driver/client/connection.h"
#include "driver/client/generated.h"
#include "driver/forward/launch_timer.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

#include <pthread.h>
#include <stdlib.h>

const struct Library this_library = {LANESCOPE_FORWARD_VARIABLE,
                                     "launches are made and not reported from here on"};

/// Counts a call of an unsupported function, for Lanescope's runtime library. The real driver itself answers
/// calls that it does not support.
CUresult not_supported(const char* function) {
  tell(kLanescopeUnsupported, 1, function);
  return CUDA_ERROR_NOT_SUPPORTED;
}

static void connect_once(void) {
  if (connect_to_server() != CUDA_SUCCESS)
    complain("the launches of this process are not reported");
  else
    // Registered after the exit handlers of the driver's cuInit, so that it runs before them.
    atexit(collect_all_times);
}

CUresult CUDAAPI cuInit(unsigned int flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  TRY(REAL(cuInit)(flags));
  pthread_once(&once, connect_once);
  return CUDA_SUCCESS;
}

/// Replaces a function of the real driver by this library's, if it has one. A newer version of the function,
/// of a driver that is newer than this library, stays.
static void replace(const char* name, void** function, int version, cuuint64_t flags) {
  CUdriverProcAddressQueryResult status;
  const struct Procedure* found = find_procedure(name, version, flags, &status);
  if (!found || !found->function) return;
  void* known = NULL;
  if (version > CUDA_VERSION &&
      (REAL(cuGetProcAddress)(name, &known, CUDA_VERSION, flags) != CUDA_SUCCESS || known != *function))
    return;
  *function = found->function;
}

CUresult CUDAAPI cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* status) {
  TRY(REAL(cuGetProcAddress_v2)(name, function, version, flags, status));
  if (function && *function) replace(name, function, version, flags);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags) {
  TRY(REAL(cuGetProcAddress)(name, function, version, flags));
  if (function && *function) replace(name, function, version, flags);
  return CUDA_SUCCESS;
}
