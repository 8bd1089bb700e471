#include "driver/client/range.h"

#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/memory.h"
#include "driver/client/module.h"

enum { kMostUsed = 2 };

static __thread int is_writing;                // to memory of the device, until let_ranges_go()
static __thread struct Range used[kMostUsed];  // memory of the device, until let_ranges_go()
static __thread int used_count;
static __thread int uses_host;  // of the ranges one is the host's

/// With the memory held.
static CUresult find_range(const char* function, struct Range* range) {
  const struct Allocation* at = held_allocation(range->address);
  if (range->size == 0) return CUDA_SUCCESS;
  if (!at && range->side == kDeviceSide)
    return invalid(
        "%s: the %s %#llx is no address of an allocation of the device; %zu bytes were expected there",
        function, range->role, range->address, range->size);
  if (!at) {
    uses_host = 1;
    range->host = (char*)(uintptr_t)range->address;
    return range->host ? CUDA_SUCCESS : invalid("%s: the %s is a null pointer", function, range->role);
  }
  if (range->side == kHostSide && (CUdeviceptr)(uintptr_t)at->host != at->address)
    return invalid("%s: the %s %#llx is an address of the device, one of the host was expected", function,
                   range->role, range->address);
  const size_t offset = range->address - at->address;
  if (range->size > at->size - offset)
    return invalid(
        "%s: the %s, %zu bytes from %#llx, ends %zu bytes behind its allocation of %zu bytes at %#llx",
        function, range->role, range->size, range->address, range->size - (at->size - offset), at->size,
        at->address);
  range->host = at->host + offset;
  // The server compares memory that the host can write without a call.
  const int is_hosts = at->kind == kManagedMemory || at->kind == kPinnedMemory;
  if (is_hosts)
    uses_host = 1;
  else if (used_count < kMostUsed)
    used[used_count++] = *range;
  if (range->is_written && !is_hosts) {
    is_writing = 1;
    note_input();
  }
  return CUDA_SUCCESS;
}

CUresult hold_ranges(const char* function, struct Range* ranges, int count) {
  struct Allocation found;
  TRY(check_context());
  for (int n = 0; n < count; ++n)
    if (ranges[n].side == kDeviceSide && ranges[n].size > 0) find_memory(ranges[n].address, &found);
  hold_memory();
  for (int n = 0; n < count; ++n) {
    const CUresult result = find_range(function, &ranges[n]);
    if (result != CUDA_SUCCESS) {
      let_ranges_go();
      return result;
    }
  }
  return CUDA_SUCCESS;
}

/// Tells the server what a copy or a fill has used, for the caches that it models.
static void tell_uses(void) {
  const int count = used_count, of_host = uses_host ? kLanescopeOfHost : 0;
  used_count = uses_host = 0;
  if (!device_facts()->device.wants_uses) return;
  for (int n = 0; n < count; ++n) {
    struct Reply reply;
    const uint64_t bits = (uint64_t)(of_host | (used[n].is_written ? kLanescopeWrites : 0));
    ask(kLanescopeUsed, used[n].address, used[n].size * 4 + bits, NULL, 0, &reply);
    free_reply(&reply);
  }
}

void let_ranges_go(void) {
  if (is_writing) note_input();
  is_writing = 0;
  let_memory_go();
  tell_uses();
}
