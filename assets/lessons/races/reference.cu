// What the kernels of this lesson must write, by one thread: nothing can race.
#include "block.h"

extern "C" __global__ void one_thread_neighbor(const float* in, float* out, int count) {
  for (int first = 0; first < count; first += BLOCK)
    for (int t = 0; t < BLOCK; ++t) out[first + t] = in[first + right_of(t)];
}

extern "C" __global__ void one_thread_smooth(const float* in, float* out, int count, int steps) {
  for (int first = 0; first < count; first += BLOCK) {
    float before[BLOCK], after[BLOCK];
    for (int t = 0; t < BLOCK; ++t) before[t] = in[first + t];
    for (int step = 0; step < steps; ++step) {
      for (int t = 0; t < BLOCK; ++t) after[t] = (before[left_of(t)] + before[right_of(t)]) / 2;
      for (int t = 0; t < BLOCK; ++t) before[t] = after[t];
    }
    for (int t = 0; t < BLOCK; ++t) out[first + t] = before[t];
  }
}

extern "C" __global__ void one_thread_last_writer(int* numbers, int count) {
  for (int i = 0; i < count; ++i) numbers[i] = BLOCK - 1;
}

extern "C" __global__ void one_thread_same_value(const float* in, int* numbers, int count) {
  for (int first = 0; first < count; first += BLOCK) {
    int found = 0;
    for (int t = 0; t < BLOCK; ++t) found |= in[first + t] >= 64;
    for (int t = 0; t < BLOCK; ++t) numbers[first + t] = found;
  }
}
