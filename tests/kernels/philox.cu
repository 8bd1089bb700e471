// Philox numbers by cuRAND: a counter in, random bits out, no state to remember between launches.
// Normally distributed ones go through Box and Muller's logarithm, sine and cosine.
#include <curand_kernel.h>

extern "C" __global__ void philox(unsigned* bits, float* uniform, float* normal, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 3, &state);
  bits[2 * i] = curand(&state);
  bits[2 * i + 1] = curand(&state);
  const float4 four = curand_uniform4(&state);
  uniform[i] = four.x + four.y + four.z + four.w;
  const float2 two = curand_normal2(&state);
  normal[i] = two.x + 10.0f * two.y;
}
