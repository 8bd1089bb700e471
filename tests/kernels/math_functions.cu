// The functions of CUDA's mathematical library in single precision, each over an interval of its domain.
extern "C" __global__ void math_functions(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, count = gridDim.x * blockDim.x;
  const float x = in[i] * 8.0f - 4.0f, positive = in[i] * 50.0f + 0.001f;
  float value[16];
  value[0] = sinf(x * 100.0f), value[1] = cosf(x), value[2] = tanf(x), value[3] = expf(x * 4.0f);
  value[4] = logf(positive), value[5] = log2f(positive), value[6] = powf(positive, x), value[7] = sqrtf(positive);
  value[8] = atan2f(x, positive), value[9] = asinf(in[i]), value[10] = tanhf(x), value[11] = erff(x);
  value[12] = cbrtf(x), value[13] = hypotf(x, positive), value[14] = fmodf(positive, 0.7f), value[15] = lgammaf(positive);
  for (int n = 0; n < 16; ++n) out[n * count + i] = value[n];
}
