// fails: coalesced: the store takes 16 sectors
// Read as a float4, and stored one by one.
extern "C" __global__ void scale(const float* in, float* out, int factor, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = 4 * thread;

  if (first + 4 <= n) {
    float4 four = reinterpret_cast<const float4*>(in)[thread];
    four.x *= factor;
    four.y *= factor;
    four.z *= factor;
    four.w *= factor;
    out[first] = four.x;  // here
    out[first + 1] = four.y;
    out[first + 2] = four.z;
    out[first + 3] = four.w;
  } else {
    for (int i = first; i < n; ++i) out[i] = factor * in[i];
  }
}
