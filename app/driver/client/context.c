// Functions cuCtx* and cuDevicePrimaryCtx*. A context's memory, modules, streams and events end with it.
// Test: tests/unit/driver/client/context_test.cpp
#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/device.h"
#include "driver/client/event.h"
#include "driver/client/failure.h"
#include "driver/client/memory.h"
#include "driver/client/module.h"
#include "driver/client/order.h"
#include "driver/client/stream.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // of the uses, and of the making and ending
static struct CUctx_st* primaries[kLanescopeMostDevices];
static unsigned int primary_flags[kLanescopeMostDevices];

static CUcontext make_context(unsigned int flags, CUdevice device) {
  static _Atomic unsigned long long count;
  struct CUctx_st* made = make_handle(kContextHandle, sizeof *made, NULL);
  if (!made) return NULL;
  made->id = ++count;
  made->flags = flags;
  made->device = device;
  made->uses = 1;
  made->limits[CU_LIMIT_STACK_SIZE] = 1024;
  made->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
  made->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
  made->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
  made->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
  made->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
  return made;
}

/// Frees the modules, streams, events and memory of a context.
static void empty_context(CUcontext context) {
  void* each;
  while ((each = some_handle_of(kModuleHandle, context))) unload_module(each);
  while ((each = some_handle_of(kStreamHandle, context))) {
    order_end_stream(stream_place(each));
    abandon_capture(each);
    drop_handle(each);
  }
  while ((each = some_handle_of(kEventHandle, context))) drop_event(each);
  while ((each = some_handle_of(kArrayHandle, context))) drop_handle(each);  // its memory follows
  release_memory_of(context);
}

/// Checks `*context`; replaces null by the current context.
static CUresult named_context(CUcontext* context) {
  TRY(driver_state());
  if (!*context) return current_context(context);
  return is_live_context(*context) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  TRY(check_device(device));
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  struct CUctx_st* primary = primaries[device];
  if (!primary && (primary = make_context(primary_flags[device], device))) {
    primary->is_primary = 1;
    primary->uses = 0;
    primaries[device] = primary;
  }
  if (primary) ++primary->uses;
  *context = primary;
  pthread_mutex_unlock(&lock);
  return *context ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  TRY(check_device(device));
  pthread_mutex_lock(&lock);
  struct CUctx_st* primary = primaries[device];
  const int was_retained = primary && primary->uses > 0;
  const int is_last = was_retained && --primary->uses == 0;
  pthread_mutex_unlock(&lock);
  if (is_last) empty_context(primary);
  return was_retained ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device) {
  TRY(check_device(device));
  if (primaries[device]) empty_context(primaries[device]);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  TRY(check_device(device));
  if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  const struct CUctx_st* primary = primaries[device];
  *flags = primary ? primary->flags : primary_flags[device];
  *active = primary && primary->uses > 0;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
  TRY(check_device(device));
  pthread_mutex_lock(&lock);
  primary_flags[device] = flags;
  if (primaries[device]) primaries[device]->flags = flags;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  TRY(check_device(device));
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  CUcontext made = make_context(flags, device);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  *context = made;
  return push_context(made);
}

CUresult CUDAAPI cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* affinity, int count,
                                unsigned int flags, CUdevice device) {
  if (affinity || count != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return cuCtxCreate_v2(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                                CUdevice device) {
  if (parameters && (parameters->execAffinityParams || parameters->cigParams))
    return CUDA_ERROR_NOT_SUPPORTED;
  return cuCtxCreate_v2(context, flags, device);
}

CUresult CUDAAPI cuCtxDestroy_v2(CUcontext context) {
  TRY(driver_state());
  if (!is_live_context(context) || context->is_primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (top_context() == context) pop_context();
  empty_context(context);
  drop_handle(context);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

CUresult CUDAAPI cuCtxAttach(CUcontext* context, unsigned int flags) {
  if (!context || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  TRY(current_context(context));
  pthread_mutex_lock(&lock);
  ++(*context)->uses;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxDetach(CUcontext context) {
  TRY(named_context(&context));
  pthread_mutex_lock(&lock);
  const int is_last = !context->is_primary && context->uses == 1;
  if (!is_last) --context->uses;
  pthread_mutex_unlock(&lock);
  return is_last ? cuCtxDestroy_v2(context) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext context) {
  TRY(driver_state());
  return is_live_context(context) ? push_context(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* context) {
  TRY(driver_state());
  CUcontext popped = pop_context();
  if (!popped) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = popped;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }

/// Replaces the top of the stack; null removes it.
CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) {
  TRY(driver_state());
  if (context && !is_live_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  pop_context();
  return context ? push_context(context) : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext* context) {
  TRY(driver_state());
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = top_context();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  TRY(named_context(&context));
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = context->device;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, NULL); }

CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags) {
  CUcontext context;
  TRY(current_context(&context));
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  *flags = context->flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
  CUcontext context;
  TRY(current_context(&context));
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetId(CUcontext context, unsigned long long* id) {
  TRY(named_context(&context));
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  *id = context->id;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  TRY(named_context(&context));
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  *version = 3020;  // of cuCtxCreate_v2, which is what all of them do
  return CUDA_SUCCESS;
}

/// Returns at once: work is done when a call returns. Tracked work counts as waited for (order.h).
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext context) {
  TRY(kernel_failure());
  TRY(named_context(&context));
  TRY(check_no_captures());
  order_host_waits_for_all();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSynchronize(void) {
  TRY(check_context());
  TRY(check_no_captures());
  order_host_waits_for_all();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxGetLimit(size_t* value, CUlimit limit) {
  CUcontext context;
  TRY(current_context(&context));
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if ((unsigned int)limit >= kMostLimits) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = context->limits[limit];
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
  CUcontext context;
  TRY(current_context(&context));
  if ((unsigned int)limit >= kMostLimits) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  if (limit == CU_LIMIT_MALLOC_HEAP_SIZE) {
    struct Reply reply;
    const CUresult result = ask(kLanescopeHeapSize, value, 0, NULL, 0, &reply);
    if (result != CUDA_SUCCESS && reply.size > 0) complain("cuCtxSetLimit: %s", reply.payload);
    free_reply(&reply);
    TRY(result);
  }
  context->limits[limit] = value;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxResetPersistingL2Cache(void) { return check_context(); }

CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache* configuration) {
  CUcontext context;
  TRY(current_context(&context));
  if (!configuration) return CUDA_ERROR_INVALID_VALUE;
  *configuration = (CUfunc_cache)context->cache;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache configuration) {
  CUcontext context;
  TRY(current_context(&context));
  if ((unsigned int)configuration > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
  context->cache = (int)configuration;
  return CUDA_SUCCESS;
}

/// Banks are four bytes wide since compute capability 5.0, whatever is set.
CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig* configuration) {
  TRY(check_context());
  if (!configuration) return CUDA_ERROR_INVALID_VALUE;
  *configuration = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig configuration) {
  TRY(check_context());
  return (unsigned int)configuration <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
                                                                                  : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  TRY(check_context());
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return CUDA_SUCCESS;
}

// Access to the memory of a peer. Launches tell the server which devices they reach: memory that cuMemAlloc()
// and its like gave on another one is not there for the kernel. Arrays, variables, memory of pools and the
// kernels of graphs are reached by all.

/// Finds the bit of the peer's device in `peers` of the current context.
static CUresult find_peer(CUcontext peer, CUcontext* context, unsigned int* bit) {
  TRY(current_context(context));
  if (!is_live_context(peer)) return CUDA_ERROR_INVALID_CONTEXT;
  *bit = 1u << peer->device;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  CUcontext context;
  unsigned int bit;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  TRY(find_peer(peer, &context, &bit));
  if (peer->device == context->device) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  return atomic_fetch_or(&context->peers, bit) & bit ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}

CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peer) {
  CUcontext context;
  unsigned int bit;
  TRY(find_peer(peer, &context, &bit));
  return atomic_fetch_and(&context->peers, ~bit) & bit ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
