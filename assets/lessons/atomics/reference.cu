// What the kernels of this lesson must write, by one thread.
#include "bins.h"

extern "C" __global__ void one_thread_histogram(const unsigned* numbers, unsigned* bins, int count) {
  for (int i = 0; i < count; ++i) bins[bin_of(numbers[i], i)] += weight_of(numbers[i]);
}

extern "C" __global__ void one_thread_count(int* counter, int lanes) {
  for (int lane = 0; lane < lanes; ++lane) *counter += 1;
}
