// Functions of libcuda.so.1 for libraries in place of NVIDIA's (driver/libraries): the places of their
// arguments in this process, and the order of their work among that of streams. Results are CUresults. Test:
// tests/cli/library_test.cpp
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/// Memory that a function of a library reads or writes.
struct LanescopeArgument {
  const char* role;     // its name in messages: "A"
  const void* address;  // of the device
  size_t size;          // bytes from the first to the last; 0: the argument is not used
  size_t row;           // bytes from the first on without a gap
  int is_written;
  void* host;  // where this process maps it, set by lanescopeHoldArguments()
};

/// Initializes the driver, and gives the thread the primary context if it has none.
int lanescopeStartLibrary(void);

/// Finds where the arguments are mapped, and keeps them mapped until lanescopeReleaseArguments(), unless it
/// fails. A wrong one gives CUDA_ERROR_INVALID_VALUE and a message that names `function`.
int lanescopeHoldArguments(const char* function, void* stream, struct LanescopeArgument* arguments,
                           int count);

/// Enters the reads and writes as work of the stream. `keeps_host`: the host waits for it.
void lanescopeReleaseArguments(const char* function, void* stream, const struct LanescopeArgument* arguments,
                               int count, int keeps_host);

/// Tells the report of a call that has ended. `failure`: the status and the reason; null: it succeeded.
void lanescopeEndLibraryCall(const char* function, uint64_t nanoseconds, const char* failure);

#pragma GCC visibility pop
