// A histogram: counts in shared memory, then one sum for each block; the borders of the bins lie in constant
// memory.
#include "check.h"

constexpr int kBins = 16;
__constant__ float borders[kBins + 1];

__global__ void count(const float* in, int size, unsigned* bins) {
  __shared__ unsigned own[kBins];
  if (threadIdx.x < kBins) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    int bin = 0;
    while (bin < kBins - 1 && in[i] >= borders[bin + 1]) ++bin;
    atomicAdd(&own[bin], 1u);
  }
  __syncthreads();
  if (threadIdx.x < kBins && own[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  float limits[kBins + 1];
  for (int bin = 0; bin <= kBins; ++bin) limits[bin] = static_cast<float>(bin);
  REQUIRE(cudaMemcpyToSymbol(borders, limits, sizeof limits));
  const std::vector<float> values = numbers(5000);
  const float* in = on_device(values);
  unsigned* bins = on_device(std::vector<unsigned>(kBins));
  count<<<6, 128>>>(in, static_cast<int>(values.size()), bins);
  require_launch("count");
  std::vector<unsigned> expected(kBins);
  for (const float value : values) ++expected[static_cast<int>(value)];
  const std::vector<unsigned> found = from_device(bins, kBins);
  size_t wrong = 0;
  for (int bin = 0; bin < kBins; ++bin) wrong += found[bin] != expected[bin];
  float back[kBins + 1];
  REQUIRE(cudaMemcpyFromSymbol(back, borders, sizeof back));
  for (int bin = 0; bin <= kBins; ++bin) wrong += back[bin] != limits[bin];
  return report("histogram", wrong);
}
