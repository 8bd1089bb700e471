extern "C" __global__ void reverse(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: out has the elements of in in reverse order
}
