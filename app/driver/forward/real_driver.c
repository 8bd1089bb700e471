#include "driver/forward/real_driver.h"

#include "driver/client/connection.h"

#include <dlfcn.h>
#include <stdlib.h>

static int is_open;

static CUresult no_driver(void) { return CUDA_ERROR_NO_DEVICE; }
static CUresult not_there(void) { return CUDA_ERROR_NOT_FOUND; }

/// Opens the driver. Complains and returns null if that fails, or if `path` is this library.
static void* open_library(const char* path) {
  Dl_info found, own;
  if (!path || !*path) {
    complain("%s is not set: no driver is known to pass calls on to", LANESCOPE_REAL_DRIVER_VARIABLE);
    return NULL;
  }
  void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  void* init = library ? dlsym(library, "cuInit") : NULL;
  if (!init) {
    complain("the driver %s cannot be opened: %s", path, dlerror());
    return NULL;
  }
  if (dladdr(init, &found) && dladdr((void*)&is_open, &own) && found.dli_fbase == own.dli_fbase) {
    complain("%s is the library that passes calls on, a driver was expected", path);
    return NULL;
  }
  return library;
}

/// Opens the driver before the program calls any function.
__attribute__((constructor)) static void open_real_driver(void) {
  void* library = open_library(getenv(LANESCOPE_REAL_DRIVER_VARIABLE));
  is_open = library != NULL;
  for (int n = 0; n < kRealFunctions; ++n) {
    void* function = library ? dlsym(library, real_names[n]) : (void*)no_driver;
    real_functions[n] = function ? function : (void*)not_there;
  }
}

int has_real_driver(void) { return is_open; }
