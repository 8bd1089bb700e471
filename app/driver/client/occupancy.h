// Number of resident blocks of a kernel on a multiprocessor. An upper bound, from the limits on threads,
// blocks and shared memory: ptxas does not run, so the registers of a kernel are not known. Test:
// tests/unit/driver/client/*
#pragma once

#include "driver/client/module.h"

#include <stddef.h>

int resident_blocks(const struct Function* function, int block_size, size_t dynamic_shared_bytes);

/// Number of resident blocks on the whole device.
long long blocks_of_device(const struct Function* function, int block_size, size_t dynamic_shared_bytes);
