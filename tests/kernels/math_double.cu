// The same in double precision: only fused multiply-adds and one table-free reduction, so every bit is determined.
extern "C" __global__ void math_double(const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, count = gridDim.x * blockDim.x;
  const double x = in[i] * 8.0 - 4.0, positive = in[i] * 50.0 + 0.001;
  double value[10];
  value[0] = sin(x * 100.0), value[1] = cos(x), value[2] = exp(x * 4.0), value[3] = log(positive);
  value[4] = pow(positive, x), value[5] = sqrt(positive), value[6] = atan(x), value[7] = tanh(x);
  value[8] = rsqrt(positive), value[9] = fmod(positive, 0.7);
  for (int n = 0; n < 10; ++n) out[n * count + i] = value[n];
}
