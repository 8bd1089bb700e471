// Sectors that the pipe moves again: an atomic whose lanes repeat an address takes the sector of that address
// once for each of them. Method: of each sector, the address that most lanes have counts. Measured on an
// H200 for 180 of 180 patterns of red.global and atom.global of 4 bytes: tests/data/atomics.csv.gz. NVIDIA
// does not document it. Tests: tests/unit/sass/repeated_sectors_test.cpp

#pragma once

#include "trace/access.h"

#include <cstdint>

namespace lanescope::sass {

/// Sectors of l1tex__t_sectors_pipe_lsu_mem_global_op_{atom,red} beyond the different ones. `access`: an
/// atomic or a reduction of global memory.
uint64_t repeated_sectors(const trace::WarpAccess& access);

}  // namespace lanescope::sass
