// A block sorts its 256 keys by 32 splits, one for each bit, in shared memory.
// A scan gives every thread the number of zeros before its own key, and with it the key's position.
#include "radix.h"

extern "C" __global__ void split(const unsigned* keys, unsigned* out, int n) {
  __shared__ unsigned sorted[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  unsigned key = i < n ? keys[i] : ~0u;  // @read the largest key stays last
  for (int bit = 0; bit < 32; ++bit) {
    const int is_zero = ~key >> bit & 1;
    const int zeros_before = sum_before(is_zero);
    const int zeros = __syncthreads_count(is_zero);
    const int position = is_zero ? zeros_before : zeros + threadIdx.x - zeros_before;
    sorted[position] = key;  // @sort
    __syncthreads();
    key = sorted[threadIdx.x];  // @next
    __syncthreads();
  }
  if (i < n) out[i] = key;  // @write
}
