// Reads a list of lines as fast as it can: what a list that falls on one pair of slices of the L2 costs
// beside one that is spread over all of them. Method: a warp reads four lines at a time, past the L1;
// L2-resident: the list is read many times over; from DRAM: once, after everything was driven out of the L2.
// Tests: with a GPU: `lanescope slices`.

#pragma once

#include "gpu/range_profiler.h"

#include <cstdint>
#include <vector>

namespace lanescope::gpu {

/// Where the lines lie when they are read.
enum class ReadFrom : uint8_t { L2, Dram };

struct LineReads {
  double gb_per_second = 0;        // decimal, of the median
  double busiest_slice_share = 0;  // of the requests that the L2 serves, at the slice that serves the most
};

/// `lines` are numbers of lines of 128 bytes in `memory`. Nothing else may run on the GPU.
Result<LineReads> read_lines(const Context& context, const Cupti& cupti, const Buffer& memory,
                             const std::vector<uint32_t>& lines, ReadFrom from);

}  // namespace lanescope::gpu
