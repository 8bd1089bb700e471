// A call of a library that stands in place of one of NVIDIA's: cuBLAS, cuRAND, cuFFT.
// Method: a function checks its arguments, enters the memory that it uses, holds it, computes with this
// processor, and ends the call, all before it returns. Where NVIDIA's own status for a wrong argument is
// documented, it is returned; the sentence with the reason goes to stderr and to the report.
// Test: tests/cli/library_test.cpp
#pragma once

#include "driver/client/library_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { kMostOwnArguments = 8, kLongestReason = 200 };

struct Call {
  const char* function;  // as a program writes it: "cublasSgemm"
  void* stream;
  bool keeps_host;  // a result goes to the host, which waits for it
  bool is_held;
  struct timespec begin;
  struct LanescopeArgument own[kMostOwnArguments];
  struct LanescopeArgument* arguments;  // `own`, or memory of more
  int count, room;
  bool lacks_memory;
  char reason[kLongestReason];  // of a failure; empty: none was given
};

void begin_call(struct Call* call, const char* function, void* stream);

/// Enters memory that the call uses, and returns the argument's number.
int add_argument(struct Call* call, struct LanescopeArgument argument);

/// Finds the arguments in this process. Returns a CUresult.
int hold_arguments(struct Call* call);

/// Place of argument `number` in this process. The arguments are held.
void* place_of(const struct Call* call, int number);

/// Lets the arguments go, if they are held, and tells `lanescope run` of the call. `failure`: the name of the
/// status; null: the call succeeded.
void end_call(struct Call* call, const char* failure);

/// Lets the arguments go, if they are held, without a word: of a part of a call.
void drop_arguments(struct Call* call);

/// Keeps the reason of a failure.
void give_reason(struct Call* call, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Counts a call of a function that the library lacks.
void note_not_supported(const char* function);
