// Start of the driver, its version, names of its errors, and the answer of unsupported functions.
#include "driver/client/connection.h"
#include "driver/client/generated.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const struct Library this_library = {LANESCOPE_SOCKET_VARIABLE, "no kernel runs from here on"};

/// True if CUDA_VISIBLE_DEVICES is empty or "-1".
static int hides_device(void) {
  const char* visible = getenv("CUDA_VISIBLE_DEVICES");
  return visible && (!*visible || strcmp(visible, "-1") == 0);
}

CUresult CUDAAPI cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return hides_device() ? CUDA_ERROR_NO_DEVICE : start_driver();
}

CUresult CUDAAPI cuDriverGetVersion(int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

static const struct ErrorName* error_name(CUresult error) {
  for (const struct ErrorName* each = error_names; each->name; ++each)
    if (each->value == (int)error) return each;
  return NULL;
}

CUresult CUDAAPI cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  const struct ErrorName* found = error_name(error);
  *name = found ? found->name : NULL;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  const struct ErrorName* found = error_name(error);
  *text = found ? found->text : NULL;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// True at the first call with `name`. Names are string literals of this library, so the pointers are kept.
static int is_first_time(const char* name) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const char* seen[1024];
  static size_t count;
  pthread_mutex_lock(&lock);
  size_t at = 0;
  while (at < count && strcmp(seen[at], name) != 0) ++at;
  const int is_new = at == count && count < sizeof seen / sizeof *seen;
  if (is_new) seen[count++] = name;
  pthread_mutex_unlock(&lock);
  return is_new;
}

CUresult not_supported(const char* function) {
  TRY(driver_state());
  if (is_first_time(function)) complain_for_now("%s is not supported", function);
  TRY(tell(kLanescopeUnsupported, 1, function));
  return CUDA_ERROR_NOT_SUPPORTED;
}

/// Identifier of an undocumented table of the driver without which NVIDIA's runtime ends. Other libraries ask
/// for tables too, and do not need them.
static const unsigned char kTableOfTheRuntime[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                                     0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};

/// Complains about NVIDIA's runtime, and names the file that contains it: the program, a library that it was
/// linked into, or NVIDIA's libcudart.so.
static void say_where_runtime_is(const void* caller) {
  Dl_info about = {0};
  const char* file = dladdr(caller, &about) && about.dli_fname ? about.dli_fname : "the program";
  // The program by which CMake looks for devices while it configures, and without which it goes on.
  if (strstr(file, "CMakeDetermineCompilerABI")) return;
  connect_to_server();  // for the note: the runtime may ask before cuInit
  if (strstr(file, "libcudart.so"))
    refuse(CUDA_ERROR_NOT_FOUND,
           "%s is NVIDIA's CUDA runtime, which works with NVIDIA's driver alone; let the program find "
           "Lanescope's "
           "libcudart.so before it, without a search path of its own (RPATH)",
           file);
  else
    refuse(CUDA_ERROR_NOT_FOUND,
           "%s contains NVIDIA's CUDA runtime, which works with NVIDIA's driver alone; link it again with "
           "`nvcc -cudart "
           "shared`",
           file);
}

CUresult CUDAAPI cuGetExportTable(const void** table, const CUuuid* id) {
  if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
  *table = NULL;
  if (memcmp(id->bytes, kTableOfTheRuntime, sizeof kTableOfTheRuntime) == 0 &&
      is_first_time("NVIDIA's runtime"))
    say_where_runtime_is(__builtin_return_address(0));
  return CUDA_ERROR_NOT_FOUND;
}

CUresult CUDAAPI cuProfilerInitialize(const char* configuration, const char* output, int mode) {
  (void)configuration, (void)output, (void)mode;
  return driver_state();
}

CUresult CUDAAPI cuProfilerStart(void) { return driver_state(); }

CUresult CUDAAPI cuProfilerStop(void) { return driver_state(); }
