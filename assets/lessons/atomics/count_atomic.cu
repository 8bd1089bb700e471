// The same count without a lock: one atomic addition.
extern "C" __global__ void count_atomic(int* counter) {
  atomicAdd(counter, 1);  // @add all lanes, one request
}
