// Correct kernels that were accused, or are easily.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define RADIUS 3
typedef float real;

// Two lanes exchange, then all do.
__global__ void exchanges(int* out) {
  int value = threadIdx.x + 32;
  if (threadIdx.x % 16 == 0) value = __shfl_xor_sync(0x00010001, value, 16);
  out[threadIdx.x] = __shfl_up_sync(0xffffffff, value, 8);
}

// A barrier of the whole grid between two phases of all blocks.
__global__ void phases(int* data) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  data[at] = at;
  cooperative_groups::this_grid().sync();
  data[at + all] = data[all - 1 - at];
}

// The caller points into the array, so that negative indices are inside.
__global__ void smooth(const real* in, real* out, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n) return;
  real sum = 0;
  for (int by = -RADIUS; by <= RADIUS; ++by) sum += in[at + by];
  out[at] = sum;
}

// A jump over the barrier that no thread takes.
__global__ void not_taken(int* data, int never) {
  __shared__ int pair[32];
  pair[threadIdx.x] = data[threadIdx.x];
  if (never) goto end;
  __syncthreads();
  data[threadIdx.x] = pair[31 - threadIdx.x];
end:
  data[threadIdx.x] += 1;
}

// Shared memory that the block carves into two arrays of different types.
__global__ void carved(int* out) {
  extern __shared__ char bytes[];
  int* const counts = reinterpret_cast<int*>(bytes);
  double* const sums = reinterpret_cast<double*>(counts + blockDim.x);
  counts[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = counts[blockDim.x - 1 - threadIdx.x] + static_cast<int>(sums[threadIdx.x ^ 1]);
}

int main(int count, char** words) {
  const char* name = count > 1 ? words[1] : "";
  const int n = 1000;
  int* data;
  real *in, *out;
  cudaMalloc(&data, 65536);
  cudaMalloc(&in, (n + 2 * RADIUS) * sizeof(real));
  cudaMalloc(&out, n * sizeof(real));
  cudaMemset(data, 0, 65536);
  cudaMemset(in, 0, (n + 2 * RADIUS) * sizeof(real));
  if (!std::strcmp(name, "exchanges")) exchanges<<<1, 32>>>(data);
  if (!std::strcmp(name, "phases")) {
    void* arguments[] = {&data};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(phases), dim3(4), dim3(64), arguments, 0, nullptr);
  }
  if (!std::strcmp(name, "smooth")) smooth<<<(n + 255) / 256, 256>>>(in + RADIUS, out, n);
  if (!std::strcmp(name, "not_taken")) not_taken<<<1, 32>>>(data, 0);
  if (!std::strcmp(name, "carved")) carved<<<1, 64, 64 * (sizeof(int) + sizeof(double))>>>(data);
  int first[32];
  const bool failed = cudaMemcpy(first, data, sizeof first, cudaMemcpyDeviceToHost) != cudaSuccess;
  std::printf("%d %d\n", first[0], first[31]);
  return failed;
}
