// Recursion: Ackermann's function and a walk through an implicit tree. The stack is local memory.
__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ int sum_of_tree(const int* values, int node, int count) {
  if (node >= count) return 0;
  const int left = sum_of_tree(values, 2 * node + 1, count);
  const int right = sum_of_tree(values, 2 * node + 2, count);
  return values[node] + 2 * left - right;
}

extern "C" __global__ void recursion(const int* values, int* out, int count) {
  const int i = threadIdx.x;
  out[2 * i] = ackermann(i % 3, i / 8);
  out[2 * i + 1] = sum_of_tree(values, i % 8, count);
}
