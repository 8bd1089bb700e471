#include "driver/libraries/call.h"

#include "driver/client/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void begin_call(struct Call* call, const char* function, void* stream) {
  memset(call, 0, sizeof *call);
  call->function = function;
  call->stream = stream;
  call->arguments = call->own;
  call->room = kMostOwnArguments;
  clock_gettime(CLOCK_MONOTONIC, &call->begin);
}

static bool make_room(struct Call* call) {
  const size_t bytes = 2 * (size_t)call->room * sizeof *call->arguments;
  struct LanescopeArgument* more = realloc(call->arguments == call->own ? NULL : call->arguments, bytes);
  if (!more) return false;
  if (call->arguments == call->own) memcpy(more, call->own, sizeof call->own);
  call->arguments = more;
  call->room *= 2;
  return true;
}

int add_argument(struct Call* call, struct LanescopeArgument argument) {
  if (call->count == call->room && !make_room(call)) {
    call->lacks_memory = true;
    return 0;
  }
  call->arguments[call->count] = argument;
  return call->count++;
}

int hold_arguments(struct Call* call) {
  const int kOutOfMemory = 2;
  if (call->lacks_memory) return kOutOfMemory;
  int result = lanescopeStartLibrary();
  if (result == 0)
    result = lanescopeHoldArguments(call->function, call->stream, call->arguments, call->count);
  call->is_held = result == 0;
  return result;
}

void* place_of(const struct Call* call, int number) { return call->arguments[number].host; }

void give_reason(struct Call* call, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(call->reason, sizeof call->reason, format, values);
  va_end(values);
}

void drop_arguments(struct Call* call) {
  if (call->is_held)
    lanescopeReleaseArguments(call->function, call->stream, call->arguments, call->count, call->keeps_host);
  if (call->arguments != call->own) free(call->arguments);
  call->arguments = call->own;
  call->count = call->is_held = 0;
}

/// Nanoseconds since the call began.
static uint64_t age_of(const struct Call* call) {
  const int64_t kNanoseconds = 1000000000;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)((now.tv_sec - call->begin.tv_sec) * kNanoseconds + now.tv_nsec - call->begin.tv_nsec);
}

void end_call(struct Call* call, const char* failure) {
  char sentence[2 * kLongestReason];
  const uint64_t age = age_of(call);
  drop_arguments(call);
  if (failure) snprintf(sentence, sizeof sentence, "%s (%s)", failure, call->reason);
  lanescopeEndLibraryCall(call->function, age, failure ? sentence : NULL);
}

void note_not_supported(const char* function) {
  if (lanescopeStartLibrary() != 0) return;
  (void)lanescopeNotSupported(function);
  lanescopeEndLibraryCall(function, 0, "Lanescope's library lacks it");
}
