// Connection of this process to `lanescope run`, and messages to the person.
// Method: one socket, one request at a time; a thread that asks waits for its reply. A child of fork() has no
// connection. It makes a new one if the parent had not called cuInit; otherwise it cannot use the driver, as
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

/// Settings of the connection. Each library that links this code defines its `this_library`.
struct Library {
  const char* socket_variable;  // of the environment
  const char* without_server;   // consequence of a lost server: "no kernel runs from here on"
};
extern const struct Library this_library;

/// Connects, if not connected. CUDA_ERROR_NO_DEVICE if `lanescope run` did not start the program.
CUresult connect_to_server(void);

/// Connects for cuInit, and sets driver_state() to CUDA_SUCCESS.
CUresult start_driver(void);

/// CUDA_SUCCESS after start_driver(); CUDA_ERROR_NOT_INITIALIZED before it and in a child of fork();
/// CUDA_ERROR_DEVICE_UNAVAILABLE once the server is lost.
CUresult driver_state(void);

/// Properties of the device, from the server; valid when driver_state() is CUDA_SUCCESS.
struct DeviceFacts {
  int compute_capability;  // 90
  size_t memory_bytes;
  struct LanescopeDevice device;
};
const struct DeviceFacts* device_facts(void);

/// Sends a request whose payload is `parts`, waits for the reply and returns its result. If that is not
/// CUDA_SUCCESS, the payload is a sentence or empty. The caller frees the reply in every case.
CUresult ask(enum LanescopeKind kind, uint64_t a0, uint64_t a1, const struct iovec* parts, int count,
             struct Reply* reply);

/// Like ask(), with `text` as the payload, without its zero byte.
CUresult ask_with_text(enum LanescopeKind kind, uint64_t a0, const char* text, struct Reply* reply);

/// Like ask_with_text(), for a request whose reply has only a result.
CUresult tell(enum LanescopeKind kind, uint64_t a0, const char* text);

void free_reply(struct Reply* reply);

/// Writes a line to stderr: "lanescope: ...".
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Like complain(), for a sentence that the report of the run contains too. Writes nothing if the report is
/// printed to this process's stderr.
void complain_for_now(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Complains about a wrong argument of a function, and returns CUDA_ERROR_INVALID_VALUE.
CUresult invalid(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Calls complain_for_now(), adds the sentence to the report of the run, and returns `result`: for a request
/// of the program that was not carried out.
CUresult refuse(CUresult result, const char* format, ...) __attribute__((format(printf, 2, 3)));
