// Arrays whose size each thread chooses: alloca, in a loop and in a function that gives it back. A local array may be
// too large for the stack that a GPU gives unasked, 1 KiB, so these are small.
__device__ __noinline__ unsigned digits_backwards(unsigned value) {
  unsigned count = 1;
  for (unsigned rest = value / 10; rest != 0; rest /= 10) ++count;
  unsigned char* digits = static_cast<unsigned char*>(alloca(count));
  for (unsigned k = 0; k < count; ++k, value /= 10) digits[k] = value % 10;
  unsigned backwards = 0;
  for (unsigned k = 0; k < count; ++k) backwards = backwards * 10 + digits[k];
  return backwards;
}

extern "C" __global__ void dynamic_arrays(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned round = 1; round <= 3; ++round) {
    const unsigned count = in[i] % 7 + round;
    unsigned* kept = static_cast<unsigned*>(alloca(count * sizeof(unsigned)));
    for (unsigned k = 0; k < count; ++k) kept[(k + 2) % count] = in[(i * 5 + k * 11) % 1024] % 100000;
    for (unsigned k = 0; k < count; ++k) sum += digits_backwards(kept[k]) >> k;
  }
  out[i] = sum;
}
