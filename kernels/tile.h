// What the toggles set: the element, the tile, and which tile a block takes.
#pragma once

#ifndef TILE
#define TILE 32  // a block works on TILE x TILE elements
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef PADDING
#define PADDING 0  // columns added to the tile in shared memory
#endif
#ifndef SWIZZLE
#define SWIZZLE 0  // 1: element (row, column) is kept in column (column xor row)
#endif
#ifndef DIAGONAL
#define DIAGONAL 0  // 1: consecutive blocks walk down a diagonal, not along a row
#endif

constexpr int ROWS = 8;  // a block has TILE x ROWS threads: each moves TILE / ROWS elements

// clang-format off: one case a line
template <int bytes> struct ElementOf;
template <> struct ElementOf<1>  { using Type = unsigned char; };
template <> struct ElementOf<2>  { using Type = unsigned short; };
template <> struct ElementOf<4>  { using Type = float; };
template <> struct ElementOf<8>  { using Type = double; };
template <> struct ElementOf<16> { using Type = float4; };
// clang-format on
using Element = ElementOf<ELEMENT_BYTES>::Type;

// Column of the tile in which element (row, column) is kept.
__device__ inline int kept_in(int row, int column) { return SWIZZLE ? column ^ (row % TILE) : column; }

// The tile that this block takes. Blocks start in the order of blockIdx.x + gridDim.x * blockIdx.y.
__device__ inline uint2 tile_of_block() {
  if (!DIAGONAL) return make_uint2(blockIdx.x, blockIdx.y);
  if (gridDim.x == gridDim.y) return make_uint2((blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);
  const unsigned number = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned y = number % gridDim.y;
  return make_uint2((number / gridDim.y + y) % gridDim.x, y);
}
