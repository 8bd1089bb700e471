// Histogram in shared memory: a block counts for itself and adds its counts to the result at the end.
extern "C" __global__ void histogram_shared(const uchar4* in, unsigned* bins, int count) {
  __shared__ unsigned kept[256];
  kept[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uchar4 four = in[i];
    atomicAdd(&kept[four.x], 1u);
    atomicAdd(&kept[four.y], 1u);
    atomicAdd(&kept[four.z], 1u);
    atomicAdd(&kept[four.w], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], kept[threadIdx.x]);
}
