// Kernels that a mistake stops.
#include <cuda_runtime.h>

#include <cstring>

// Rows of 1001 floats, read as float4: the second row starts at byte 4004.
__global__ void wide_rows(const float* in, float* out) {
  const float4 four = reinterpret_cast<const float4*>(in + blockIdx.x * 1001)[threadIdx.x];  // HERE wide_rows
  out[blockIdx.x * 32 + threadIdx.x] = four.x + four.y + four.z + four.w;
}

// The halo of the first block begins before the array.
__global__ void halo(const float* in, float* out) {
  const int at = blockIdx.x * 32 + threadIdx.x;
  out[at] = in[at - 1] + in[at];  // HERE halo
}

// Dynamic shared memory that the launch does not give.
extern __shared__ float bins[];
__global__ void no_bins(float* out) {
  bins[threadIdx.x] = 0;  // HERE no_bins
  out[threadIdx.x] = bins[threadIdx.x];
}

// A barrier in a loop that one thread executes more often than the others.
__global__ void uneven(int* out) {
  for (int n = threadIdx.x; n < 33; n += 32) {
    out[n] = n;
    __syncthreads();  // HERE uneven
  }
  out[threadIdx.x] += out[0];
}

// A mask of five lanes, executed by all.
__global__ void small_mask(int* out) {
  out[threadIdx.x] = __shfl_sync(0x1f, threadIdx.x, 0);  // HERE small_mask
}

// An index of 32 bits overflows: 60000 * 40000 is beyond 2^31.
__global__ void overflow(const int* in, int* out, int rows, int columns) {
  out[threadIdx.x] = in[rows * columns + threadIdx.x];  // HERE overflow
}

// A pointer to an array of the host.
__global__ void host_pointer(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // HERE host_pointer
}

int main(int count, char** words) {
  const char* name = count > 1 ? words[1] : "";
  float *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
  cudaMemset(in, 0, 65536);
  if (!std::strcmp(name, "wide_rows")) wide_rows<<<4, 32>>>(in, out);
  if (!std::strcmp(name, "halo")) halo<<<4, 32>>>(in, out);
  if (!std::strcmp(name, "no_bins")) no_bins<<<1, 32>>>(out);
  if (!std::strcmp(name, "uneven")) uneven<<<1, 32>>>(reinterpret_cast<int*>(out));
  if (!std::strcmp(name, "small_mask")) small_mask<<<1, 32>>>(reinterpret_cast<int*>(out));
  if (!std::strcmp(name, "overflow"))
    overflow<<<1, 32>>>(reinterpret_cast<int*>(in), reinterpret_cast<int*>(out), 60000, 40000);
  int numbers[32] = {};
  if (!std::strcmp(name, "host_pointer")) host_pointer<<<1, 32>>>(numbers, reinterpret_cast<int*>(out));
  cudaDeviceSynchronize();
}
