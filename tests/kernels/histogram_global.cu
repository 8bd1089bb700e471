// Histogram with one atomic per byte, straight into global memory.
extern "C" __global__ void histogram_global(const unsigned char* in, unsigned* bins, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
}
