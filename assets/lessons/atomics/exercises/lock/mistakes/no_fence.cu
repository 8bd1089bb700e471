// fails: memory: __threadfence() is missing
// The lock is released, and what was written under it may still be on its way.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      if (own > best[0]) {  // here
        best[0] = own;
        best[1] = i;
      }
      atomicExch(lock, 0);
      done = true;
    }
  }
}
