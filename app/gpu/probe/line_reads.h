// Reads a list of lines as fast as possible: compares lines that fall on one pair of L2 slices with lines
// that are spread over all of them. Method: a warp reads four lines at a time, past the L1; L2-resident: the
// list is read many times; from DRAM: once, after the L2 was flushed. Tests: with a GPU: `lanescope slices`.

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
