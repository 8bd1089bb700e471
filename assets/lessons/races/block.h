// What the toggles set: the threads of a block. Each block works on BLOCK neighboring elements.
#pragma once

#ifndef BLOCK
#define BLOCK 128
#endif

// The neighbors of thread t: its block is a ring.
__device__ inline int left_of(int t) { return (t + BLOCK - 1) % BLOCK; }
__device__ inline int right_of(int t) { return (t + 1) % BLOCK; }
