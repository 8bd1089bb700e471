// Kernels whose counts of wavefronts and sectors people agreed on.
#include <cuda_runtime.h>

#include <cstring>

#ifndef PAD
#define PAD 0
#endif

// Lane l writes and reads word 4 l: eight lanes in each of four rows share a bank.
__global__ void stride_four(const float* in, float* out) {
  __shared__ float words[128];
  words[threadIdx.x * 4] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * 4];  // HERE stride_four
}

// A tile of 16 x 65 floats: the 16 lanes of a row write every fourth word, and two rows are one word apart.
__global__ void rows_of_65(const float4* in, float* out) {
  __shared__ float tile[16][65];
  const float4 four = in[threadIdx.y * 16 + threadIdx.x];
  tile[threadIdx.y][threadIdx.x * 4] = four.x;  // HERE rows_of_65
  tile[threadIdx.y][threadIdx.x * 4 + 1] = four.y;
  tile[threadIdx.y][threadIdx.x * 4 + 2] = four.z;
  tile[threadIdx.y][threadIdx.x * 4 + 3] = four.w;
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

// A column of a tile of 32 x 32, or of 32 x 33 with -D PAD=1.
__global__ void column(const float* in, float* out) {
  __shared__ float tile[32][32 + PAD];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];  // HERE column
}

// Consecutive lanes, 16 bytes each: four wavefronts, which is the ideal.
__global__ void vectors(const float4* in, float4* out) {
  __shared__ float4 row[32];
  row[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x ^ 1];  // HERE vectors
}

// 32 floats that start 16 bytes into a sector.
__global__ void after_header(const char* in, float* out) {
  out[threadIdx.x] = reinterpret_cast<const float*>(in + 16)[threadIdx.x];  // HERE after_header
}

// One float out of each sector.
__global__ void every_eighth(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x * 8];  // HERE every_eighth
}

// Elements of 12 bytes: three loads with a stride of 12, 12 sectors each.
__global__ void triples(const float3* in, float* out) {
  const float3 one = in[threadIdx.x];  // HERE triples
  out[threadIdx.x] = one.x + one.y + one.z;
}

int main(int count, char** words) {
  const char* name = count > 1 ? words[1] : "";
  float *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
  cudaMemset(in, 0, 65536);
  if (!std::strcmp(name, "stride_four")) stride_four<<<2, 32>>>(in, out);
  if (!std::strcmp(name, "rows_of_65")) rows_of_65<<<1, dim3(16, 16)>>>(reinterpret_cast<float4*>(in), out);
  if (!std::strcmp(name, "column")) column<<<1, dim3(32, 32)>>>(in, out);
  if (!std::strcmp(name, "vectors")) vectors<<<1, 32>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  if (!std::strcmp(name, "after_header")) after_header<<<1, 32>>>(reinterpret_cast<char*>(in), out);
  if (!std::strcmp(name, "every_eighth")) every_eighth<<<1, 32>>>(in, out);
  if (!std::strcmp(name, "triples")) triples<<<1, 32>>>(reinterpret_cast<float3*>(in), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
