// The approximations of the special function unit, by their intrinsics: 1/x, 1/sqrt(x), sine, cosine, logarithm, power of 2.
extern "C" __global__ void fast_math(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, count = gridDim.x * blockDim.x;
  const float x = in[i] * 6.0f - 3.0f, positive = in[i] * 50.0f + 0.001f;
  float value[8];
  value[0] = __sinf(x), value[1] = __cosf(x), value[2] = __expf(x), value[3] = __logf(positive);
  value[4] = __log2f(positive), value[5] = __fdividef(x, positive), value[6] = rsqrtf(positive), value[7] = __powf(positive, x);
  for (int n = 0; n < 8; ++n) out[n * count + i] = value[n];
}
