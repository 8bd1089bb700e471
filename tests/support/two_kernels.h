// A person's program with two kernels, each of which its host code launches.

#pragma once

namespace lanescope::tests {

inline constexpr const char* kTwoKernels = R"(#include <cstdio>
__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
__global__ void add(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
int main() {
  float *x, *y;
  add<<<4, 128>>>(x, y, 2.0f, 512);
  twice<<<4, 128>>>(y, 512);
}
)";

}  // namespace lanescope::tests
