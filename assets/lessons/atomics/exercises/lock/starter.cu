// best[0] becomes the greatest element, and best[1] its index. Nothing keeps the two together yet.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  // TODO: one thread at a time: *lock is 0 while nobody has it.
  if (own > best[0]) {
    best[0] = own;
    best[1] = i;
  }
}
