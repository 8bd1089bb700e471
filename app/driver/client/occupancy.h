// How many blocks of a kernel a multiprocessor takes. The registers of a kernel are not known, since ptxas
// does not run: what threads, blocks and shared memory allow is an upper bound. Test:
// tests/unit/driver/client/*
#pragma once

#include "driver/client/module.h"

#include <stddef.h>

int resident_blocks(const struct Function* function, int block_size, size_t dynamic_shared_bytes);

/// Blocks that the whole device takes at once.
long long blocks_of_device(const struct Function* function, int block_size, size_t dynamic_shared_bytes);
