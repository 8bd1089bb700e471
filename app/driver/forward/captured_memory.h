// Copies of the GPU's memory for a captured launch. Functions that copy return null, or a sentence with the
// reason of the failure. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"
#include "driver/messages.h"

#include <stddef.h>
#include <stdint.h>

struct CapturedMemory {
  struct LanescopeCaptured* all;  // [count]
  char** before;                  // [count] the copies, as this process maps them
  size_t count, room;
  uint64_t size_bytes;  // of all
  char sentence[300];
};

/// Captures a variable of the server's module, which lies at `address` on the GPU.
const char* capture_variable(struct CapturedMemory* memory, uint64_t module, const char* name,
                             CUdeviceptr address, size_t size);

/// Captures the allocations that words of the parameters or of captured memory point into.
const char* capture_memory(struct CapturedMemory* memory, const char* parameters, size_t size);

/// Copies the captured memory again, after the launch.
const char* capture_after(struct CapturedMemory* memory);

void release_captured(struct CapturedMemory* memory);
