// Tridiagonal systems by parallel cyclic reduction: each step removes the neighbors at distance 1, 2, 4, ...
extern "C" __global__ void tridiagonal(const float* lower, const float* diagonal, const float* right, float* x) {
  __shared__ float a[64], b[64], c[64], d[64];
  const int i = threadIdx.x, at = blockIdx.x * 64 + i;
  a[i] = i > 0 ? lower[at] : 0.0f;
  b[i] = diagonal[at] + 3.0f;
  c[i] = i < 63 ? lower[at] * 0.5f : 0.0f;
  d[i] = right[at];
  for (int distance = 1; distance < 64; distance *= 2) {
    __syncthreads();
    const int left = max(i - distance, 0), next = min(i + distance, 63);
    const float alpha = i >= distance ? -a[i] / b[left] : 0.0f;
    const float gamma = i + distance < 64 ? -c[i] / b[next] : 0.0f;
    const float new_a = alpha * a[left], new_c = gamma * c[next];
    const float new_b = b[i] + alpha * c[left] + gamma * a[next];
    const float new_d = d[i] + alpha * d[left] + gamma * d[next];
    __syncthreads();
    a[i] = new_a, b[i] = new_b, c[i] = new_c, d[i] = new_d;
  }
  __syncthreads();
  x[at] = d[i] / b[i];
}
