// Element-wise add: thread i adds elements that are a stride apart, from an offset on.
// The arithmetic is always the same. Stride and offset decide which bytes the 32 lanes of a warp read.
#include "element.h"

extern "C" __global__ void add(const Element* a, const Element* b, Element* out, int n, int stride,
                               int offset, bool coalesced) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int from = offset + (coalesced ? i : stride * i);
  const Element result = sum(a[from], b[from]);  // @read
  out[i] = result;                               // @write
}
