// Scan by Blelloch: add up a tree, then pass down to every node the sum of what is left of it.
// Few additions; but the words of one level lie 2, 4, 8, ... apart, unless OFFSETS moves them.
#include "scan.h"

__device__ int word_of(int i) { return OFFSETS ? i + i / 32 : i; }

extern "C" __global__ void blelloch(const int* in, int* out, int n) {
  constexpr int HALF = TILE / 2;  // threads
  __shared__ int tree[TILE + TILE / 32];
  const int thread = threadIdx.x;
  for (int i = thread; i < TILE; i += HALF) {
    const int from = blockIdx.x * TILE + i;
    tree[word_of(i)] = from < n ? in[from] : 0;
  }

  for (int distance = 1; distance < TILE; distance *= 2) {
    __syncthreads();
    const int right = 2 * distance * (thread + 1) - 1;
    if (right < TILE) {
      const int sum = tree[word_of(right - distance)] + tree[word_of(right)];  // @up
      tree[word_of(right)] = sum;                                              // @addition
    }
  }

  if (thread == 0) tree[word_of(TILE - 1)] = 0;  // nothing is left of the whole; this thread wrote it last
  for (int distance = HALF; distance > 0; distance /= 2) {
    __syncthreads();
    const int right = 2 * distance * (thread + 1) - 1;
    if (right < TILE) {
      const int left_sum = tree[word_of(right - distance)], before = tree[word_of(right)];  // @down
      tree[word_of(right - distance)] = before;                                             // @down
      tree[word_of(right)] = before + left_sum;                                             // @addition
    }
  }

  __syncthreads();
  for (int i = thread; i < TILE; i += HALF) {
    const int to = blockIdx.x * TILE + i;
    if (to < n) out[to] = tree[word_of(i)];
  }
}
