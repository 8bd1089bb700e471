// A kernel of CUDA C++ of one warp whose lanes each read four neighboring words of shared memory: ptxas makes
// one load of 16 bytes of the four.

#pragma once

namespace lanescope::tests {

inline constexpr const char* kFourKernel = R"(extern "C" __global__ void four(const float* in, float* out) {
  __shared__ float kept[128];
  for (int n = 0; n < 4; ++n) kept[32 * n + threadIdx.x] = in[32 * n + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int n = 0; n < 4; ++n) sum += kept[4 * threadIdx.x + n];
  out[threadIdx.x] = sum;
}
)";

}  // namespace lanescope::tests
