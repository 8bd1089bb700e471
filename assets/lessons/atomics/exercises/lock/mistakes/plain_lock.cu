// fails: memory: 'lock'
// Two threads may find the lock free before one of them closes it.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  for (bool done = false; !done;) {
    if (*lock == 0) {
      *lock = 1;  // here
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
