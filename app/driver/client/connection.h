// The connection of this process to `lanescope run`, and what the library says to the person.
// Method: one socket, one request at a time; a thread that asks waits for its reply. A child of fork() has no
// connection: it makes its own where the parent had not called cuInit, and has lost the driver otherwise, as
// with NVIDIA's. Test: tests/unit/driver/client/*
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/// Leaves the function with the result of `expression`, unless it is CUDA_SUCCESS.
#define TRY(expression)                                      \
  do {                                                       \
    const CUresult result_of_try = (expression);             \
    if (result_of_try != CUDA_SUCCESS) return result_of_try; \
  } while (0)

struct Reply {
  uint64_t r[2];
  int memory;     // a descriptor, which the caller closes; -1: none came
  uint32_t size;  // of the payload
  char* payload;  // the caller frees it; ended by a zero byte that does not count; null where it is empty
};

/// How the library that this is a part of is connected; it defines it.
struct Library {
  const char* socket_variable;  // of the environment
  const char* without_server;   // what follows when the server has gone: "no kernel runs from here on"
};
extern const struct Library this_library;

/// Connects, if that is not done. CUDA_ERROR_NO_DEVICE where the program was not started by `lanescope run`.
CUresult connect_to_server(void);

/// cuInit: connects, and lets the other functions answer.
CUresult start_driver(void);

/// CUDA_SUCCESS after start_driver(); CUDA_ERROR_NOT_INITIALIZED, also in a child of fork();
/// CUDA_ERROR_DEVICE_UNAVAILABLE when the server has gone.
CUresult driver_state(void);

/// What the server said of its device; valid when driver_state() is CUDA_SUCCESS.
struct DeviceFacts {
  int compute_capability;  // 90
  size_t memory_bytes;
  struct LanescopeDevice device;
};
const struct DeviceFacts* device_facts(void);

/// Sends a request whose payload is `parts`, and waits for its reply: the result is the reply's. Where that
/// is not CUDA_SUCCESS, the payload is a sentence. In every case free_reply() is due.
CUresult ask(enum LanescopeKind kind, uint64_t a0, uint64_t a1, const struct iovec* parts, int count,
             struct Reply* reply);

/// The same with a text for a payload, without its zero byte.
CUresult ask_with_text(enum LanescopeKind kind, uint64_t a0, const char* text, struct Reply* reply);

/// The same for a request whose reply says nothing but its result.
CUresult tell(enum LanescopeKind kind, uint64_t a0, const char* text);

void free_reply(struct Reply* reply);

/// A line on stderr: "lanescope: ...".
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// complain() of something that the report of the run has too: where the report comes on this process's
/// stderr, it is left to the report.
void complain_for_now(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Complains and answers CUDA_ERROR_INVALID_VALUE: what a function was given is wrong.
CUresult invalid(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// complain_for_now(), answers `result`, and notes the sentence for the report of the run: something that the
/// program needed was not done.
CUresult refuse(CUresult result, const char* format, ...) __attribute__((format(printf, 2, 3)));
