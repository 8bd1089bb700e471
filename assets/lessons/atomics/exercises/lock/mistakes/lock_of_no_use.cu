// fails: memory: 'best'
// A thread that does not get the lock goes on all the same.
extern "C" __global__ void find_greatest(const unsigned* in, unsigned* best, int* lock, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned own = in[i];

  atomicCAS(lock, 0, 1);
  __threadfence();
  if (own > best[0]) {
    best[0] = own;  // here
    best[1] = i;
  }
  __threadfence();
  atomicExch(lock, 0);
}
