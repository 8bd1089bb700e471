// Step 3 of a pass: every key goes to its position among all keys.
// LOCAL_SORT: the block sorts its tile in shared memory first, so that lanes side by side write side by side.
#include "radix.h"

extern "C" __global__ void scatter(const unsigned* keys, unsigned* out, const int* counts, const int* totals,
                                   int n, int shift) {
  __shared__ int starts[WARPS][DIGITS];  // of the warp's keys with a digit: how many, then where in the tile
  __shared__ int to_global[DIGITS];      // from a position in the tile to the position among all keys
  __shared__ unsigned sorted[LOCAL_SORT ? TILE : 1];

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < WARPS * DIGITS; i += THREADS) starts[0][i] = 0;
  __syncthreads();

  // The rank of a key: how many keys of the same digit come before it in the part of its warp.
  unsigned key[ITEMS];
  int rank[ITEMS];
  const int first = blockIdx.x * TILE + warp * ITEMS * 32 + lane;
  for (int item = 0; item < ITEMS; ++item) {
    const int i = first + item * 32;
    key[item] = i < n ? keys[i] : ~0u;  // @read the largest key stays last
    const int digit = digit_of(key[item], shift);
    const unsigned peers = peers_of(digit);
    const int peers_before = __popc(peers & (1u << lane) - 1);
    const int before = starts[warp][digit];
    __syncwarp();
    if (peers_before == 0) starts[warp][digit] = before + __popc(peers);
    __syncwarp();
    rank[item] = before + peers_before;
  }
  __syncthreads();

  // A thread for each digit: where do its keys start, in the tile and among all keys?
  const int digit = threadIdx.x;
  int in_tile = 0;
  if (digit < DIGITS)
    for (int w = 0; w < WARPS; ++w) {
      const int of_warp = starts[w][digit];
      starts[w][digit] = in_tile;
      in_tile += of_warp;
    }
  const int start = sum_before(in_tile);
  const int global_start = sum_before(digit < DIGITS ? totals[digit] : 0);
  if (digit < DIGITS) {
    for (int w = 0; w < WARPS; ++w) starts[w][digit] += start;
    to_global[digit] = global_start + counts[digit * gridDim.x + blockIdx.x] - start;
  }
  __syncthreads();

  const int size = min(TILE, n - static_cast<int>(blockIdx.x) * TILE);
  for (int item = 0; item < ITEMS; ++item) {
    const int digit = digit_of(key[item], shift);
    const int position = starts[warp][digit] + rank[item];
    if (LOCAL_SORT) {
      sorted[position] = key[item];  // @sort
    } else if (position < size) {
      const int to = to_global[digit] + position;
      out[to] = key[item];  // @write
    }
  }
  if (!LOCAL_SORT) return;

  __syncthreads();
  for (int position = threadIdx.x; position < size; position += THREADS) {
    const unsigned next = sorted[position];
    const int to = to_global[digit_of(next, shift)] + position;
    out[to] = next;  // @write
  }
}
