// What the programs of this folder share: each exits with 0 when all that it computed is right, else says
// what is wrong.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program at the first failed call of the runtime.
inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s (%s)\n", what, cudaGetErrorString(error), cudaGetErrorName(error));
  std::exit(1);
}
#define REQUIRE(call) require(call, #call)

/// Of a launch: whether it could be made, and what came of it.
inline void require_launch(const char* kernel) {
  require(cudaGetLastError(), kernel);
  require(cudaDeviceSynchronize(), kernel);
}

/// A buffer on the device that begins as a copy of `values`.
template <typename T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, values.size() * sizeof(T)));
  REQUIRE(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <typename T>
std::vector<T> from_device(const T* memory, size_t count) {
  std::vector<T> values(count);
  REQUIRE(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// Small whole numbers, the same in every run: sums of them are exact in float.
inline std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  unsigned state = 12345;
  for (float& value : values) value = static_cast<float>((state = state * 1664525u + 1013904223u) >> 28);
  return values;
}

/// The status of the program: 0 when `wrong` results are none.
inline int report(const char* name, size_t wrong) {
  std::printf("%s: %s", name, wrong == 0 ? "right\n" : "");
  if (wrong > 0) std::printf("%zu results are wrong\n", wrong);
  return wrong > 0;
}
