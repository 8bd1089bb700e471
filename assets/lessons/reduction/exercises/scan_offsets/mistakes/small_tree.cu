// fails: memory: which has 512 elements
// The elements move up, and the array is as large as before.
constexpr int TILE = 512;  // elements of a block

// The word of tree[] in which element i is kept.
__device__ int word_of(int i) { return i + i / 32; }

extern "C" __global__ void scan(const int* in, int* out, int n) {
  constexpr int HALF = TILE / 2;  // threads
  __shared__ int tree[TILE];
  const int thread = threadIdx.x;
  for (int i = thread; i < TILE; i += HALF) {
    const int from = blockIdx.x * TILE + i;
    tree[word_of(i)] = from < n ? in[from] : 0;  // here
  }

  for (int distance = 1; distance < TILE; distance *= 2) {
    __syncthreads();
    const int right = 2 * distance * (thread + 1) - 1;
    if (right < TILE) {
      const int sum = tree[word_of(right - distance)] + tree[word_of(right)];
      tree[word_of(right)] = sum;
    }
  }

  if (thread == 0) tree[word_of(TILE - 1)] = 0;  // nothing is left of the whole; this thread wrote it last
  for (int distance = HALF; distance > 0; distance /= 2) {
    __syncthreads();
    const int right = 2 * distance * (thread + 1) - 1;
    if (right < TILE) {
      const int left_sum = tree[word_of(right - distance)], before = tree[word_of(right)];
      tree[word_of(right - distance)] = before;
      tree[word_of(right)] = before + left_sum;
    }
  }

  __syncthreads();
  for (int i = thread; i < TILE; i += HALF) {
    const int to = blockIdx.x * TILE + i;
    if (to < n) out[to] = tree[word_of(i)];
  }
}
