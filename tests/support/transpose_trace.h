// The accesses of a matrix transpose, written down without running one: for tests of models and figures,
// which must not wait for a producer. Method: 32 x 8 threads per block of 32 x 32 elements, float; addresses
// by the textbook's formulas. A matrix whose sides are no multiples of 32 has cut tiles at its edge.

#pragma once

#include "trace/trace.h"

#include <cstdint>

namespace lanescope::tests {

/// Diagonal: tiled, with the tiles in diagonal order.
enum class Transpose { Copy, Naive, Tiled, Diagonal };

struct TransposeShape {
  uint32_t width = 128;   // columns of the input
  uint32_t height = 128;  // rows of the input
  uint32_t padding = 0;   // floats after each row of the tile
  Transpose variant = Transpose::Tiled;
  uint32_t first_blocks = 0xffffffff;  // how many blocks are kept
};

/// Buffer 0 is the input, 1 the output. Sites of the tiled ones: 0 loads the input, 1 and 2 store and load
/// the tile, 3 stores the output; of the others: 0 loads, 1 stores.
trace::Trace transpose_trace(const TransposeShape& shape);

/// The access on this step of a warp of a block.
trace::WarpAccess access_at(const trace::Trace& trace, uint32_t cta, uint32_t warp, uint32_t step);

/// A trace with a single access: for banks and sectors.
trace::Trace lone_trace(trace::Operation operation);

}  // namespace lanescope::tests
