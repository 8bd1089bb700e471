// Adds two vectors, four elements for each thread.
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  for (int k = 0; k < 4; ++k) {
    // TODO: the element that this thread takes at step k. In one step, neighboring threads take neighbors.
    const int i = n;
    if (i < n) out[i] = a[i] + b[i];
  }
}
