// fails: output: wrote it
// The last element is n - 1, and each is one too far.
extern "C" __global__ void reverse(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[(i + 1) % n];  // here
}
