// PTX that a program passed to the driver's linker, by the machine code of the result. Kept only if launches
// are captured. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>

/// Keeps an input that the linker took; `data` may be null. After an input without PTX, the result has none.
void keep_input(CUlinkState state, CUjitInputType type, const void* data, size_t size, const char* name);
/// Keeps the result of a linker.
void keep_linked(CUlinkState state, const void* cubin, size_t size);
void drop_link(CUlinkState state);

/// PTX that `image` was linked from, which the caller frees; null if there is none. `image` may be a copy of
/// the linker's result.
char* text_of_linked(const void* image, size_t* size);
