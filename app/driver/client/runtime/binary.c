// Functions that nvcc's host code calls: before main() to register fat binaries, with their kernels and
// variables by the address of their host counterparts, and for <<<...>>>. A binary is loaded at the first use
// of a kernel or variable. Source: crt/host_runtime.h. Test: tests/unit/driver/client/runtime_test.cpp
#include "driver/client/runtime/runtime.h"
#include "driver/messages.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Binary {
  const void* image;
  CUlibrary library[kLanescopeMostDevices];  // [device] null: not loaded
  CUresult failure;                          // of the loading, which is not tried again
  struct Entry* entries;
  struct Binary* next;
};

enum EntryKind { kKernel, kVariable, kManagedVariable };

struct Entry {
  enum EntryKind kind;
  struct Binary* binary;
  const void* host;
  const char* name;
  CUfunction kernel[kLanescopeMostDevices];    // [device] null: not looked up
  CUdeviceptr address[kLanescopeMostDevices];  // [device] 0: not looked up
  size_t size;
  struct Entry* next;
};

static struct Binary* binaries;
static int uses_several_devices;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the binaries and their entries

/// Fills in the host's pointers to managed variables. With the lock held. All devices use the first's.
static CUresult place_managed_variables(struct Binary* binary, int device) {
  CUresult result = CUDA_SUCCESS;
  for (struct Entry* each = binary->entries; each && result == CUDA_SUCCESS; each = each->next) {
    if (each->kind != kManagedVariable) continue;
    result = cuLibraryGetManaged(&each->address[device], &each->size, binary->library[device], each->name);
    if (result == CUDA_SUCCESS) *(void**)(uintptr_t)each->host = (void*)(uintptr_t)each->address[device];
  }
  return result;
}

/// Loads a binary on the current device. With the lock held.
static CUresult load(struct Binary* binary) {
  CUresult result = start_runtime();
  const int device = current_device();
  CUlibrary* library = &binary->library[device];
  uses_several_devices |= device != 0;
  if (result != CUDA_SUCCESS || *library) return result;
  if (binary->failure == CUDA_SUCCESS)
    binary->failure = cuLibraryLoadData(library, binary->image, NULL, NULL, 0, NULL, NULL, 0);
  return binary->failure != CUDA_SUCCESS ? binary->failure : place_managed_variables(binary, device);
}

static void unload(struct Binary* binary, int device) {
  if (binary->library[device]) cuLibraryUnload(binary->library[device]);
  binary->library[device] = NULL;
  for (struct Entry* each = binary->entries; each; each = each->next) {
    each->kernel[device] = NULL;
    each->address[device] = 0;
  }
}

void unload_binaries(int device) {
  pthread_mutex_lock(&lock);
  for (struct Binary* each = binaries; each; each = each->next) unload(each, device);
  pthread_mutex_unlock(&lock);
}

/// With the lock held.
static struct Entry* find(const void* host, int is_kernel) {
  for (struct Binary* binary = binaries; binary; binary = binary->next)
    for (struct Entry* each = binary->entries; each; each = each->next)
      if (each->host == host && (each->kind == kKernel) == is_kernel) return each;
  return NULL;
}

/// Finds the entry of a kernel that was looked up on any device: nvcc's host code keeps what it got first.
/// With the lock held.
static struct Entry* find_by_kernel(CUfunction kernel) {
  for (struct Binary* binary = binaries; binary; binary = binary->next)
    for (struct Entry* each = binary->entries; each; each = each->next)
      for (int n = 0; n < kLanescopeMostDevices && each->kind == kKernel; ++n)
        if (each->kernel[n] == kernel) return each;
  return NULL;
}

static CUresult kernel_of_entry(struct Entry* entry, CUfunction* kernel) {
  CUresult result = load(entry->binary);
  const int device = current_device();
  if (result == CUDA_SUCCESS && !entry->kernel[device])
    result =
        cuLibraryGetKernel((CUkernel*)&entry->kernel[device], entry->binary->library[device], entry->name);
  *kernel = entry->kernel[device];
  return result == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidDeviceFunction : result;
}

CUresult kernel_of(const void* symbol, CUfunction* kernel) {
  const char* ignored;
  pthread_mutex_lock(&lock);
  struct Entry* entry = find(symbol, 1);
  if (!entry && (uses_several_devices || current_device() != 0)) entry = find_by_kernel((CUfunction)symbol);
  CUresult result = entry ? kernel_of_entry(entry, kernel) : (CUresult)cudaErrorInvalidDeviceFunction;
  pthread_mutex_unlock(&lock);
  if (!entry && start_runtime() == CUDA_SUCCESS &&
      cuKernelGetName(&ignored, (CUkernel)symbol) == CUDA_SUCCESS) {
    *kernel = (CUfunction)symbol;
    result = CUDA_SUCCESS;
  }
  return result;
}

void* symbol_of(CUfunction kernel) {
  pthread_mutex_lock(&lock);
  const struct Entry* entry = find_by_kernel(kernel);
  const void* symbol = entry ? entry->host : kernel;
  pthread_mutex_unlock(&lock);
  return (void*)symbol;
}

CUresult variable_of(const void* symbol, CUdeviceptr* address, size_t* size) {
  CUresult result = (CUresult)cudaErrorInvalidSymbol;
  pthread_mutex_lock(&lock);
  struct Entry* entry = find(symbol, 0);
  if (entry) result = load(entry->binary);
  const int device = current_device();
  if (result == CUDA_SUCCESS && !entry->address[device])
    result = cuLibraryGetGlobal(&entry->address[device], &entry->size, entry->binary->library[device],
                                entry->name);
  if (result == CUDA_SUCCESS) {
    *address = entry->address[device];
    *size = entry->size;
  }
  pthread_mutex_unlock(&lock);
  return result == CUDA_ERROR_NOT_FOUND ? (CUresult)cudaErrorInvalidSymbol : result;
}

static void enter(void** handle, enum EntryKind kind, const void* host, const char* name) {
  struct Binary* binary = (struct Binary*)handle;
  struct Entry* made = calloc(1, sizeof *made);
  if (!binary || !made) abort();  // before main(), without memory
  pthread_mutex_lock(&lock);
  *made = (struct Entry){.kind = kind, .binary = binary, .host = host, .name = name, .next = binary->entries};
  binary->entries = made;
  pthread_mutex_unlock(&lock);
}

EXPORTED void** __cudaRegisterFatBinary(void* image) {
  struct Binary* made = calloc(1, sizeof *made);
  if (!made) abort();
  pthread_mutex_lock(&lock);
  *made = (struct Binary){.image = image, .next = binaries};
  binaries = made;
  pthread_mutex_unlock(&lock);
  return (void**)made;
}

EXPORTED void __cudaRegisterFatBinaryEnd(void** handle) { (void)handle; }

EXPORTED void __cudaUnregisterFatBinary(void** handle) {
  pthread_mutex_lock(&lock);
  struct Binary** at = &binaries;
  while (*at && *at != (struct Binary*)handle) at = &(*at)->next;
  struct Binary* gone = *at;
  if (gone) {
    *at = gone->next;
    for (int n = 0; n < kLanescopeMostDevices; ++n) unload(gone, n);
    while (gone->entries) {
      struct Entry* entry = gone->entries;
      gone->entries = entry->next;
      free(entry);
    }
    free(gone);
  }
  pthread_mutex_unlock(&lock);
}

EXPORTED char __cudaInitModule(void** handle) {
  pthread_mutex_lock(&lock);
  const CUresult result = load((struct Binary*)handle);
  pthread_mutex_unlock(&lock);
  answer(result);
  return result == CUDA_SUCCESS;
}

EXPORTED void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
                                     int thread_limit, uint3* thread, uint3* block, dim3* block_size,
                                     dim3* grid_size, int* warp_size) {
  (void)device, (void)thread_limit, (void)thread, (void)block, (void)block_size, (void)grid_size,
      (void)warp_size;
  enter(handle, kKernel, host, name);
}

EXPORTED void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int is_external,
                                size_t size, int is_constant, int is_global) {
  (void)device, (void)is_external, (void)size, (void)is_constant, (void)is_global;
  enter(handle, kVariable, host, name);
}

EXPORTED void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name,
                                       int is_external, size_t size, int is_constant, int is_global) {
  (void)device, (void)is_external, (void)size, (void)is_constant, (void)is_global;
  enter(handle, kManagedVariable, host, name);
}

// Stack of launch shapes: <<<grid, block, shared, stream>>> pushes one, the kernel's stub pops it. The
// arguments of a launch may contain another launch.
enum { kMostPushed = 32 };

static __thread struct Pushed {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
} pushed[kMostPushed];
static __thread int pushed_count;

EXPORTED unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                  cudaStream_t stream) {
  if (pushed_count == kMostPushed) return (unsigned int)answer_error(cudaErrorLaunchFailure);
  pushed[pushed_count++] = (struct Pushed){grid, block, shared_bytes, stream};
  return 0;
}

EXPORTED cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (pushed_count == 0) return answer_error(cudaErrorMissingConfiguration);
  const struct Pushed top = pushed[--pushed_count];
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *(cudaStream_t*)stream = top.stream;
  return cudaSuccess;
}

EXPORTED cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return answer(kernel_of(host, (CUfunction*)kernel));
}

EXPORTED cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** values,
                                        size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, values, shared_bytes, stream);
}

EXPORTED cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** values,
                                             size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, values, shared_bytes, stream ? stream : cudaStreamPerThread);
}

#if LANESCOPE_CUDART_VERSION < 12000
// Texture references, which CUDA 12 removed. A program that registers one without using it can run.
EXPORTED void __cudaRegisterTexture(void) {}
EXPORTED void __cudaRegisterSurface(void) {}
#endif
