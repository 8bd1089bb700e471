// The thread that changes *lock from 0 to 1 has the lock; it works and releases it in the same turn.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      if (own > best[0]) {
        best[0] = own;
        best[1] = i;
      }
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
