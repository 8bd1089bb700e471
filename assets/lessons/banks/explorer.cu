// The bank explorer: a warp keeps some elements in shared memory, then each lane reads one of them.
// Lane l reads element offset + stride * (l / share). PADDING and SWIZZLE change where the elements lie.
#include "tile.h"

constexpr int KEPT_ROWS = 64;  // rows of 32 elements: enough for a stride of 64

extern "C" __global__ void explorer(const Element* in, Element* out, int stride, int offset, int share) {
  __shared__ Element kept[KEPT_ROWS][TILE + PADDING];

  const int lane = threadIdx.x;
  const int number = offset + stride * (lane / share);
  const int row = number / TILE, column = number % TILE;

  if (lane % share == 0) {
    const Element element = in[number];
    kept[row][kept_in(row, column)] = element;
  }

  __syncthreads();

  const Element element = kept[row][kept_in(row, column)];
  out[lane] = element;
}

// What `out` must hold: the same without shared memory.
extern "C" __global__ void gather(const Element* in, Element* out, int stride, int offset, int share) {
  const int lane = threadIdx.x;
  out[lane] = in[offset + stride * (lane / share)];
}
