// cuInit, and which functions a program gets by their names.
#include "driver/client/connection.h"
#include "driver/client/generated.h"
#include "driver/forward/launch_timer.h"
#include "driver/forward/real_driver.h"
#include "driver/forward/run_report.h"

#include <pthread.h>
#include <stdlib.h>

const struct Library this_library = {LANESCOPE_FORWARD_VARIABLE,
                                     "launches are made and not reported from here on"};

/// The real driver answers whatever it does not support itself; Lanescope's runtime library asks for this.
CUresult not_supported(const char* function) {
  tell(kLanescopeUnsupported, 1, function);
  return CUDA_ERROR_NOT_SUPPORTED;
}

static void connect_once(void) {
  if (connect_to_server() != CUDA_SUCCESS)
    complain("the launches of this process are not reported");
  else
    // After the driver's own, which it registers in cuInit: this runs before them.
    atexit(collect_all_times);
}

CUresult CUDAAPI cuInit(unsigned int flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  TRY(REAL(cuInit)(flags));
  pthread_once(&once, connect_once);
  return CUDA_SUCCESS;
}

/// Puts a function of this library in the place of the real driver's, where there is one. A driver that is
/// newer than this library may have a newer version of a function, which is left as it is.
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
