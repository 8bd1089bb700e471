// The values are summed up by intervals of 1024 ticks: sums[0] has those of time 0 to 1023, and so on, 64 in
// all. Block b takes elements b * 2048 to b * 2048 + 2047. The times are sorted.
extern "C" __global__ void interval_sums(const unsigned* times, const unsigned char* values, unsigned* sums,
                                         int count) {
  const int first = blockIdx.x * 2048, end = min(first + 2048, count);
  // TODO: all threads of a warp, and most of a block, update one element of sums at a time.
  for (int i = first + threadIdx.x; i < end; i += 256) atomicAdd(&sums[times[i] / 1024], values[i]);
}
