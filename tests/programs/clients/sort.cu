// A bitonic sort: short distances in shared memory, long ones by a launch each. Keys carry values, in managed
// memory.
// nvcc: --default-stream per-thread
#include "check.h"

constexpr unsigned kBlock = 256;

struct Pair {
  unsigned key;
  unsigned value;
};

__device__ void order(Pair& a, Pair& b, bool is_ascending) {
  if ((a.key > b.key) != is_ascending) return;
  const Pair kept = a;
  a = b;
  b = kept;
}

__global__ void sort_far(Pair* pairs, unsigned run, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i & distance) == 0) order(pairs[i], pairs[i | distance], (i & run) == 0);
}

__global__ void sort_near(Pair* pairs, unsigned run, unsigned distance) {
  __shared__ Pair tile[kBlock];
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  tile[threadIdx.x] = pairs[i];
  for (; distance > 0; distance /= 2) {
    __syncthreads();
    if ((threadIdx.x & distance) == 0) order(tile[threadIdx.x], tile[threadIdx.x | distance], (i & run) == 0);
  }
  __syncthreads();
  pairs[i] = tile[threadIdx.x];
}

int main() {
  const unsigned count = 2048;
  Pair* pairs = nullptr;
  REQUIRE(cudaMallocManaged(&pairs, count * sizeof(Pair)));
  for (unsigned i = 0; i < count; ++i) pairs[i] = {i * 2654435761u >> 8, i};
  for (unsigned run = 2; run <= count; run *= 2) {
    unsigned distance = run / 2;
    for (; distance >= kBlock; distance /= 2) sort_far<<<count / kBlock, kBlock>>>(pairs, run, distance);
    sort_near<<<count / kBlock, kBlock>>>(pairs, run, distance);
  }
  require_launch("sort");
  size_t wrong = 0;
  std::vector<bool> seen(count);
  for (unsigned i = 0; i < count; ++i) {
    wrong += i > 0 && pairs[i - 1].key > pairs[i].key;
    wrong += pairs[i].value >= count || pairs[i].key != pairs[i].value * 2654435761u >> 8;
    if (pairs[i].value < count) seen[pairs[i].value] = true;
  }
  for (const bool each : seen) wrong += !each;
  REQUIRE(cudaFree(pairs));
  return report("sort", wrong);
}
