// A block stores every second word. After the barrier each warp loads the words that the next warp stored, or
// with beside = 1 those between them.
extern "C" __global__ void stores(float* words, float* sums, int beside) {
  float* const mine = words + blockIdx.x * blockDim.x * 2;
  mine[threadIdx.x * 2] = threadIdx.x;  // @write
  __syncthreads();
  const int other = (threadIdx.x + 32) % blockDim.x;
  const float word = mine[other * 2 + beside];  // @read
  sums[blockIdx.x * blockDim.x + threadIdx.x] = word;
}
