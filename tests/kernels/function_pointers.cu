// Calls through pointers: a table of operations, and lanes of one warp that take different entries.
using Operation = int (*)(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int difference(int a, int b) { return a > b ? a - b : b - a; }
__device__ __noinline__ int shifted(int a, int b) { return a << (b & 7); }

__device__ Operation table[4] = {add, multiply, difference, shifted};

extern "C" __global__ void function_pointers(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i];
  for (int step = 0; step < 4; ++step) value = table[(i + step) % 4](value, in[(i + step) % 64]);
  out[i] = value;
}
