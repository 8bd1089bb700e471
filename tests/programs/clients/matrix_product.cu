// A product of matrices by tiles in dynamic shared memory, of a size that is a parameter of the template;
// timed by events.
// nvcc: --compress-mode=speed
#include "check.h"

template <int tile>
__global__ void multiply(const float* a, const float* b, float* c, int rows, int columns, int depth) {
  extern __shared__ float shared[];
  float* of_a = shared;
  float* of_b = shared + tile * tile;
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < depth; k += tile) {
    of_a[threadIdx.y * tile + threadIdx.x] = a[row * depth + k + threadIdx.x];
    of_b[threadIdx.y * tile + threadIdx.x] = b[(k + threadIdx.y) * columns + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) sum += of_a[threadIdx.y * tile + i] * of_b[i * tile + threadIdx.x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

int main() {
  const int rows = 96, columns = 64, depth = 128;
  const std::vector<float> a = numbers(rows * depth), b = numbers(depth * columns);
  float *device_a = on_device(a), *device_b = on_device(b),
        *device_c = on_device(std::vector<float>(rows * columns));
  cudaEvent_t start, end;
  cudaStream_t stream;
  REQUIRE(cudaEventCreate(&start));
  REQUIRE(cudaEventCreate(&end));
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  size_t wrong = 0;
  for (const int tile : {16, 32}) {
    REQUIRE(cudaMemset(device_c, 0xff, rows * columns * sizeof(float)));
    REQUIRE(cudaDeviceSynchronize());
    REQUIRE(cudaEventRecord(start, stream));
    const dim3 grid(columns / tile, rows / tile), block(tile, tile);
    const size_t shared_bytes = 2 * tile * tile * sizeof(float);
    if (tile == 16)
      multiply<16><<<grid, block, shared_bytes, stream>>>(device_a, device_b, device_c, rows, columns, depth);
    else
      multiply<32><<<grid, block, shared_bytes, stream>>>(device_a, device_b, device_c, rows, columns, depth);
    require(cudaGetLastError(), "multiply");
    REQUIRE(cudaEventRecord(end, stream));
    REQUIRE(cudaEventSynchronize(end));
    float milliseconds = -1;
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, end));
    wrong += !(milliseconds > 0);
    const std::vector<float> c = from_device(device_c, rows * columns);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        float sum = 0;
        for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * columns + column];
        wrong += !(c[row * columns + column] == sum);
      }
  }
  REQUIRE(cudaStreamDestroy(stream));
  return report("matrix_product", wrong);
}
