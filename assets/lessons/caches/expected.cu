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

// Of each tile of c the words of its rows of a and of its columns of b, added in the order of the loads.
extern "C" __global__ void expected_tile_order(const float4* a, const float4* b, float* sums, int columns, int depth) {
  const int row = blockIdx.x / columns, column = blockIdx.x % columns;
  float sum = 0;
  for (int first = 0; first < depth; first += 32)
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
      const float4 left = a[((row * 64 + i / 8) * depth + first) / 4 + i % 8];
      const float4 right = b[((first + i / 16) * columns + column) * 16 + i % 16];
      sum += left.x + left.y + left.z + left.w + right.x + right.y + right.z + right.w;
    }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
