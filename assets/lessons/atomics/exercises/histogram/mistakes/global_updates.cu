// fails: sectors: the atomic operation at line
// One update for each warp and interval, but each of them goes to global memory.
extern "C" __global__ void interval_sums(const unsigned* times, const unsigned char* values, unsigned* sums,
                                         int count) {
  const int first = blockIdx.x * 2048, end = min(first + 2048, count);
  for (int i = first + threadIdx.x; i < end; i += 256) {
    const unsigned interval = times[i] / 1024, value = values[i];
    const unsigned same = __match_any_sync(__activemask(), interval);
    const unsigned sum = __reduce_add_sync(same, value);
    if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&sums[interval], sum);  // here
  }
}
