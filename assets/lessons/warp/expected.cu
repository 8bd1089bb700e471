// What the kernels of the lesson must write: one warp computes it, from the last element to the first.
#include "element.h"

extern "C" __global__ void expected_sum(const Element* a, const Element* b, Element* out, int n, int stride,
                                        int offset, bool coalesced) {
  if (coalesced) stride = 1;
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x)
    out[i] = sum(a[offset + i * stride], b[offset + i * stride]);
}

// Sums of the first `read` fields: field f of point i is at i * point_step + f * field_step.
extern "C" __global__ void expected_of_fields(const float* values, float* out, int n, int read,
                                              int point_step, int field_step) {
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) {
    float sum = 0;
    for (int f = 0; f < read; ++f) sum += values[i * point_step + f * field_step];
    out[i] = sum;
  }
}
