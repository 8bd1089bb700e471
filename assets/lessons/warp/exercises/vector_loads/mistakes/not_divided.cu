// fails: memory: of 'in'
// The pointer to float4 counts in fours already.
extern "C" __global__ void scale(const float* in, float* out, int factor, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = 4 * thread;

  if (first + 4 <= n) {
    float4 four = reinterpret_cast<const float4*>(in)[first];  // here
    four.x *= factor;
    four.y *= factor;
    four.z *= factor;
    four.w *= factor;
    reinterpret_cast<float4*>(out)[thread] = four;
  } else {
    for (int i = first; i < n; ++i) out[i] = factor * in[i];
  }
}
