// fails: memory: not a multiple of 16
// The rest is taken first, so that all addresses are moved.
extern "C" __global__ void scale(const float* in, float* out, int factor, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int rest = n % 4, first = rest + 4 * thread;
  if (thread < rest) out[thread] = factor * in[thread];

  if (first + 4 <= n) {
    float4 four = *reinterpret_cast<const float4*>(in + first);  // here
    four.x *= factor;
    four.y *= factor;
    four.z *= factor;
    four.w *= factor;
    *reinterpret_cast<float4*>(out + first) = four;
  }
}
