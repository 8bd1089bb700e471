// A lock for the lanes of one warp that works on every GPU: the lane that gets the lock works and releases it
// in the same turn of the loop, so it never has to leave lanes behind that wait for it.
extern "C" __global__ void lock_retry(int* lock, volatile int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {  // @try
      __threadfence();
      *counter = *counter + 1;  // @work
      __threadfence();
      atomicExch(lock, 0);  // @release
      done = true;
    }
  }
}
