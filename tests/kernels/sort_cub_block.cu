// CUB's radix sort of a block: 128 threads with four keys each, and the values that go with them.
#include <cub/block/block_radix_sort.cuh>

extern "C" __global__ void sort_cub_block(const unsigned* keys_in, unsigned* keys_out, unsigned* values_out) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4, unsigned>;
  __shared__ Sort::TempStorage room;
  unsigned keys[4], values[4];
  for (int i = 0; i < 4; ++i) {
    values[i] = threadIdx.x * 4 + i;
    keys[i] = keys_in[blockIdx.x * 512 + values[i]];
  }
  Sort(room).Sort(keys, values);
  for (int i = 0; i < 4; ++i) {
    keys_out[blockIdx.x * 512 + threadIdx.x * 4 + i] = keys[i];
    values_out[blockIdx.x * 512 + threadIdx.x * 4 + i] = values[i];
  }
}
