// Fast Fourier transform of 256 complex numbers, radix 2, after Stockham: two buffers take turns, no bit reversal.
extern "C" __global__ void fft_256(const float2* in, float2* out) {
  __shared__ float2 kept[2][256];
  const int i = threadIdx.x;
  kept[0][i] = in[blockIdx.x * 256 + i];
  kept[0][i + 128] = in[blockIdx.x * 256 + i + 128];
  int from = 0;
  for (int half = 1; half < 256; half *= 2) {
    __syncthreads();
    const int k = i & (half - 1);
    float sine, cosine;
    sincospif(-static_cast<float>(k) / static_cast<float>(half), &sine, &cosine);
    const float2 a = kept[from][i], b = kept[from][i + 128];
    const float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
    const int to = 2 * i - k;
    kept[1 - from][to] = make_float2(a.x + turned.x, a.y + turned.y);
    kept[1 - from][to + half] = make_float2(a.x - turned.x, a.y - turned.y);
    from = 1 - from;
  }
  __syncthreads();
  out[blockIdx.x * 256 + i] = kept[from][i];
  out[blockIdx.x * 256 + i + 128] = kept[from][i + 128];
}
