// fails: memory: 'best'
// best[0] is read before the thread has the lock.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  const bool is_greater = own > best[0];
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      if (is_greater) {
        best[0] = own;  // here
        best[1] = i;
      }
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
