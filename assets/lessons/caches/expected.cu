// What the kernels of the lesson must write.

// Four times the sum of every 256th word of the data, from the thread's number on, added in the same order.
extern "C" __global__ void expected_working_set(const float* data, float* sums, int count) {
  float sum = 0;
  for (int n = 0; n < 4; ++n)
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += data[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Thread t loads what thread t + 32 of its block has stored, its number; or beside it a zero.
extern "C" __global__ void expected_stores(float* sums, int beside) {
  sums[blockIdx.x * blockDim.x + threadIdx.x] = beside == 0 ? (threadIdx.x + 32) % blockDim.x : 0;
}

// The table and a part of the stream in turn, four times.
extern "C" __global__ void expected_hints(const float* table, const float* stream, float* sums, int count) {
  float sum = 0;
  for (int round = 0; round < 4; ++round) {
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += table[i];
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += stream[round * count + i];
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
