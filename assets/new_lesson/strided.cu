// Lanes read elements that are STRIDE apart. What follows @ names a line for the texts and questions.
#ifndef STRIDE
#define STRIDE 1
#endif

extern "C" __global__ void gather(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float element = in[i * STRIDE];  // @read
  out[i] = element;                      // @write
}

extern "C" __global__ void one_thread(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i * STRIDE];
}
