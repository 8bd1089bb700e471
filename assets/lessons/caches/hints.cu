// A table is read in each of four rounds, and between them a part of a stream that is read once.
// HINT: how the stream is loaded, 0 like the table, 1 evict first, 2 past the L1.
extern "C" __global__ void hints(const float* table, const float* stream, float* sums, int table_count,
                                 int stream_count) {
  float sum = 0;
  for (int round = 0; round < 4; ++round) {
    for (int i = threadIdx.x; i < table_count; i += blockDim.x) sum += table[i];  // @table
    const float* const part = stream + round * stream_count;
    for (int i = threadIdx.x; i < stream_count; i += blockDim.x) {
#if HINT == 0
      sum += part[i];  // @stream
#elif HINT == 1
      sum += __ldcs(part + i);  // @stream
#else
      sum += __ldcg(part + i);  // @stream
#endif
    }
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
