// A lock for the lanes of one warp, the way it is written for a CPU: wait until the lock is free, work,
// release it. Since Volta the lane that has the lock can run while the others wait. Before, it could not.
extern "C" __global__ void lock_wait(int* lock, volatile int* counter) {
  while (atomicCAS(lock, 0, 1) != 0)  // @try
    continue;
  __threadfence();
  *counter = *counter + 1;  // @work
  __threadfence();
  atomicExch(lock, 0);  // @release
}
