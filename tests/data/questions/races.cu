// Kernels that end, with a race between threads, warps or blocks.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstring>

// The last thread writes the total, all threads read it, and no barrier is between them.
__global__ void total_for_all(const int* in, int* out) {
  __shared__ int parts[128], total;
  parts[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 127) {
    int sum = 0;
    for (int n = 0; n < 128; ++n) sum += parts[n];
    total = sum;  // HERE total_for_all
  }
  out[threadIdx.x] = total;
}

// The last rounds of a sum within a warp, as if its lanes were in step.
__global__ void warp_sum(const int* in, int* out) {
  __shared__ int parts[32];
  parts[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2)
    if (threadIdx.x < step) parts[threadIdx.x] += parts[threadIdx.x + step];  // HERE warp_sum
  if (threadIdx.x == 0) *out = parts[0];
}

// Each round of a prefix sum reads and writes one array before its barrier.
__global__ void prefix_in_place(int* data) {
  __shared__ int row[64];
  row[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    if (threadIdx.x >= step) row[threadIdx.x] += row[threadIdx.x - step];  // HERE prefix_in_place
    __syncthreads();
  }
  data[threadIdx.x] = row[threadIdx.x];
}

// A tile is filled again while other warps still read it.
__global__ void refilled(const int* in, int* out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[threadIdx.x] = in[round * 64 + threadIdx.x];  // HERE refilled
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

// Blocks take turns by a flag, and nothing orders what they write.
__global__ void in_turn(int* turn, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(turn, 0) != blockIdx.x) {
  }
  *sum += blockIdx.x;  // HERE in_turn
  atomicAdd(turn, 1);
}

// Rounds in one launch: a barrier of the block does not order the blocks.
__global__ void rounds(int* cells) {
  const int at = blockIdx.x * 64 + threadIdx.x, next = (at + 1) % 128;
  for (int round = 0; round < 4; ++round) {
    if ((at + round) % 2 == 0) cells[at] = cells[next] + 1;  // HERE rounds
    __syncthreads();
  }
}

// A row is copied asynchronously, and the threads of other rows read it after a barrier without a wait.
__global__ void copied_row(const int* in, int* out) {
  __shared__ int row[32];
  if (threadIdx.y == 0) __pipeline_memcpy_async(&row[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = row[threadIdx.x];  // HERE copied_row
}

int main(int count, char** words) {
  const char* name = count > 1 ? words[1] : "";
  int *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
  cudaMemset(in, 0, 65536);
  cudaMemset(out, 0, 65536);
  if (!std::strcmp(name, "total_for_all")) total_for_all<<<1, 128>>>(in, out);
  if (!std::strcmp(name, "warp_sum")) warp_sum<<<1, 32>>>(in, out);
  if (!std::strcmp(name, "prefix_in_place")) prefix_in_place<<<1, 64>>>(in);
  if (!std::strcmp(name, "refilled")) refilled<<<1, 64>>>(in, out);
  if (!std::strcmp(name, "in_turn")) in_turn<<<4, 32>>>(in, out);
  if (!std::strcmp(name, "rounds")) rounds<<<2, 64>>>(in);
  if (!std::strcmp(name, "copied_row")) copied_row<<<1, dim3(32, 4)>>>(in, out);
  cudaDeviceSynchronize();
}
