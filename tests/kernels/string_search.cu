// String search: each thread tries one start. Most give up after a letter or two, so warps diverge and reconverge.
__constant__ char pattern[] = "\1\0\1\1";

extern "C" __global__ void string_search(const char* text, int count, unsigned* found, int* first) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  int matched = 0;
  while (matched < 4 && at + matched < count && (text[at + matched] & 1) == pattern[matched]) ++matched;
  if (matched == 4) {
    atomicOr(&found[at / 32], 1u << at % 32);
    atomicMin(first, at);
  }
}
