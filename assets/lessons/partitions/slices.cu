// 128 threads read one float each, and count who serves them: the partitions of a GTX 280, address / 256 mod
// 8, and the slices of the L2 cache of an H200, by a measured formula. PROVOKE 0: the places are `stride`
// bytes apart. 1: the places are picked, all in one slice of the H200.
#include "h200_slice.h"

#ifndef PROVOKE
#define PROVOKE 0
#endif

constexpr int PARTITIONS = 8;
constexpr int GRANULE = 256;  // bytes that lie together in a partition, and in a slice

// The byte that thread number `thread` reads.
__device__ unsigned place_of(int thread, int stride) {
  if (!PROVOKE) return thread * stride;
  unsigned place = 512 * GRANULE * thread;  // from here on, look for a place in slice 0
  while (h200_slice_of(place) != 0) place += GRANULE;
  return place;
}

extern "C" __global__ void slices(const float* in, float* out, int* found, int stride) {
  __shared__ int partition_reads[PARTITIONS], slice_reads[SLICES];

  const int thread = threadIdx.x;
  if (thread < PARTITIONS) partition_reads[thread] = 0;
  if (thread < SLICES) slice_reads[thread] = 0;
  __syncthreads();

  const unsigned place = place_of(thread, stride);
  out[thread] = in[place / sizeof(float)];
  atomicAdd(&partition_reads[place / GRANULE % PARTITIONS], 1);
  atomicAdd(&slice_reads[h200_slice_of(place)], 1);
  __syncthreads();

  // How many serve the reads, and how many reads the busiest one has.
  if (thread == 0) {
    int used = 0, busiest = 0;
    for (int p = 0; p < PARTITIONS; ++p) {
      used += partition_reads[p] > 0;
      busiest = max(busiest, partition_reads[p]);
    }
    found[0] = used, found[1] = busiest;
  }
  if (thread == 32) {
    int used = 0, busiest = 0;
    for (int s = 0; s < SLICES; ++s) {
      used += slice_reads[s] > 0;
      busiest = max(busiest, slice_reads[s]);
    }
    found[2] = used, found[3] = busiest;
  }
}

// What `found` must hold: each thread compares its place with those of all threads.
extern "C" __global__ void slices_compared(int* found, int stride) {
  __shared__ unsigned places[128];

  const int thread = threadIdx.x;
  const unsigned mine = place_of(thread, stride);
  places[thread] = mine;
  __syncthreads();

  int in_partition = 0, in_slice = 0;           // threads that read from the same one
  bool new_partition = true, new_slice = true;  // no thread before reads from it
  for (int n = 0; n < 128; ++n) {
    const bool same_partition = mine / GRANULE % PARTITIONS == places[n] / GRANULE % PARTITIONS;
    const bool same_slice = h200_slice_of(mine) == h200_slice_of(places[n]);
    in_partition += same_partition, in_slice += same_slice;
    if (n < thread && same_partition) new_partition = false;
    if (n < thread && same_slice) new_slice = false;
  }
  if (new_partition) atomicAdd(&found[0], 1);
  atomicMax(&found[1], in_partition);
  if (new_slice) atomicAdd(&found[2], 1);
  atomicMax(&found[3], in_slice);
}
