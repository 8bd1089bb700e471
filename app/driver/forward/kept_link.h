// The PTX that a program passed to the driver's linker, by the machine code that came of it. Kept only where
// launches are captured. Test: tests/cli/gpu_run_test.cpp
#pragma once

#include "driver/client/cuda_api.h"

#include <stddef.h>

/// An input that the linker took. One without PTX makes that the result has none; `data` may be null.
void keep_input(CUlinkState state, CUjitInputType type, const void* data, size_t size, const char* name);
/// The result of a linker.
void keep_linked(CUlinkState state, const void* cubin, size_t size);
void drop_link(CUlinkState state);

/// The PTX that `image` was linked from, which the caller frees; null where it was not. The program may have
/// copied the linker's result.
char* text_of_linked(const void* image, size_t* size);
