// Swap through shared memory: each thread leaves its element there and takes another thread's.
// The barrier stands between the two: before it, the other thread may not have written yet.

extern "C" __global__ void swap(const int* in, int* out) {
  __shared__ int kept[1024];

  const int first = blockIdx.x * blockDim.x;
  const int mine = threadIdx.x, other = blockDim.x - 1 - threadIdx.x;

  const int element = in[first + mine];
  kept[mine] = element;

  __syncthreads();

  const int swapped = kept[other];
  out[first + mine] = swapped;
}

// What `out` must hold: the same without shared memory.
extern "C" __global__ void swap_directly(const int* in, int* out) {
  const int first = blockIdx.x * blockDim.x;
  out[first + threadIdx.x] = in[first + blockDim.x - 1 - threadIdx.x];
}
