#include "driver/forward/captured_memory.h"

#include "driver/client/connection.h"
#include "driver/forward/real_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// Bytes of a captured allocation that are searched for addresses, from its start.
enum { kMostSearched = 64 << 20 };

static const char* map_reply(struct CapturedMemory* memory, CUresult result, const struct Reply* reply,
                             size_t size, char** mapped) {
  if (result != CUDA_SUCCESS) {
    snprintf(memory->sentence, sizeof memory->sentence, "%.250s",
             reply->size > 0 ? reply->payload : "`lanescope run` gives no memory for a copy");
    return memory->sentence;
  }
  *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, reply->memory, 0);
  return *mapped == MAP_FAILED ? "a copy of its memory cannot be mapped" : NULL;
}

static int make_room(struct CapturedMemory* memory) {
  if (memory->count < memory->room) return 1;
  const size_t room = memory->room ? 2 * memory->room : 16;
  struct LanescopeCaptured* all = realloc(memory->all, room * sizeof *all);
  if (all) memory->all = all;
  char** before = realloc(memory->before, room * sizeof *before);
  if (before) memory->before = before;
  if (!all || !before) return 0;
  memory->room = room;
  return 1;
}

/// Enters memory of the reply, and copies the GPU's memory to it.
static const char* enter(struct CapturedMemory* memory, CUdeviceptr gpu, size_t size, CUresult result,
                         const struct Reply* reply, uint64_t address) {
  char* mapped;
  const char* problem = map_reply(memory, result, reply, size, &mapped);
  if (problem) return problem;
  if (!make_room(memory) || REAL(cuMemcpyDtoH_v2)(mapped, gpu, size) != CUDA_SUCCESS) {
    munmap(mapped, size);
    return "the driver does not copy its memory";
  }
  memory->before[memory->count] = mapped;
  memory->all[memory->count++] = (struct LanescopeCaptured){gpu, size, address, 0};
  memory->size_bytes += size;
  return NULL;
}

static int is_too_large(struct CapturedMemory* memory, size_t size) {
  if (size <= LANESCOPE_MOST_CAPTURED - memory->size_bytes) return 0;
  snprintf(memory->sentence, sizeof memory->sentence,
           "its memory has more than the %llu MiB that are captured; launch it on smaller buffers",
           (unsigned long long)(LANESCOPE_MOST_CAPTURED >> 20));
  return 1;
}

const char* capture_variable(struct CapturedMemory* memory, uint64_t module, const char* name,
                             CUdeviceptr address, size_t size) {
  struct Reply reply;
  if (is_too_large(memory, size)) return memory->sentence;
  const CUresult result = ask_with_text(kLanescopeGetGlobal, module, name, &reply);
  const char* problem = result == CUDA_SUCCESS && reply.r[1] != size
                            ? "the GPU's has another size than the PTX says"
                            : enter(memory, address, size, result, &reply, reply.r[0]);
  free_reply(&reply);
  return problem;
}

static const char* capture_allocation(struct CapturedMemory* memory, CUdeviceptr begin, size_t size) {
  struct Reply reply;
  if (is_too_large(memory, size)) return memory->sentence;
  const CUresult result = ask(kLanescopeAllocate, size, kLanescopeDeviceMemory, NULL, 0, &reply);
  const char* problem = enter(memory, begin, size, result, &reply, reply.r[0]);
  free_reply(&reply);
  return problem;
}

static int is_captured(const struct CapturedMemory* memory, CUdeviceptr address) {
  for (size_t n = 0; n < memory->count; ++n)
    if (address - memory->all[n].gpu_address < memory->all[n].size_bytes) return 1;
  return 0;
}

/// Cache of addresses for which the driver has no allocation, to ask it once for each.
enum { kMissedBits = 12 };
struct MissedAddresses {
  CUdeviceptr all[1 << kMissedBits];
};

static CUdeviceptr* place_of(struct MissedAddresses* missed, CUdeviceptr address) {
  return &missed->all[(address * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - kMissedBits)];
}

/// Captures the allocations that words of `bytes` point into. An address has 33 to 57 bits (57: widest of
/// GPUs and of the processor), which excludes most words without a call of the driver.
static const char* search(struct CapturedMemory* memory, const char* bytes, size_t size) {
  struct MissedAddresses missed = {{0}};
  CUdeviceptr address, begin;
  for (size_t at = 0; at + sizeof address <= size; at += sizeof address) {
    size_t length = 0;
    memcpy(&address, bytes + at, sizeof address);
    if (address >> 32 == 0 || address >> 57 != 0 || *place_of(&missed, address) == address) continue;
    if (is_captured(memory, address)) continue;
    if (REAL(cuMemGetAddressRange_v2)(&begin, &length, address) != CUDA_SUCCESS || length == 0) {
      *place_of(&missed, address) = address;
      continue;
    }
    const char* problem = capture_allocation(memory, begin, length);
    if (problem) return problem;
  }
  return NULL;
}

const char* capture_memory(struct CapturedMemory* memory, const char* parameters, size_t size) {
  const char* problem = search(memory, parameters, size);
  for (size_t n = 0; n < memory->count && !problem; ++n) {
    const uint64_t length = memory->all[n].size_bytes;
    problem = search(memory, memory->before[n], length < kMostSearched ? length : kMostSearched);
  }
  return problem;
}

const char* capture_after(struct CapturedMemory* memory) {
  const char* problem = NULL;
  for (size_t n = 0; n < memory->count && !problem; ++n) {
    struct LanescopeCaptured* one = &memory->all[n];
    struct Reply reply;
    char* mapped;
    const CUresult result =
        ask(kLanescopeAllocate, one->size_bytes, kLanescopeCapturedAfter, NULL, 0, &reply);
    problem = map_reply(memory, result, &reply, one->size_bytes, &mapped);
    if (!problem) {
      one->after = reply.r[0];
      if (REAL(cuMemcpyDtoH_v2)(mapped, one->gpu_address, one->size_bytes) != CUDA_SUCCESS)
        problem = "the driver does not copy its memory";
      munmap(mapped, one->size_bytes);
    }
    free_reply(&reply);
  }
  return problem;
}

void release_captured(struct CapturedMemory* memory) {
  for (size_t n = 0; n < memory->count; ++n) munmap(memory->before[n], memory->all[n].size_bytes);
  free(memory->all);
  free(memory->before);
}
