// A block stores words. After the barrier each warp loads those that the next warp stored.
extern "C" __global__ void stores(float* words, float* sums, int step) {
  float* const mine = words + blockIdx.x * blockDim.x * step;
  mine[threadIdx.x * step] = threadIdx.x;  // @write
  __syncthreads();
  const int other = (threadIdx.x + 32) % blockDim.x;
  const float word = mine[other * step];  // @read
  sums[blockIdx.x * blockDim.x + threadIdx.x] = word;
}
