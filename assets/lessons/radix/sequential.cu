// One thread sorts all keys: 32 passes, one for each bit, zeros before ones.
// A key that follows others with the same bit stays after them, so a pass keeps the order of the pass before.

extern "C" __global__ void sequential(const unsigned* keys, unsigned* out, unsigned* other, int n) {
  const unsigned* from = keys;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned* const to = bit % 2 ? out : other;
    int zeros = 0;
    for (int i = 0; i < n; ++i) zeros += ~from[i] >> bit & 1;  // @count
    int next[2] = {0, zeros};
    for (int i = 0; i < n; ++i) {
      const unsigned key = from[i];  // @read
      if (key >> bit & 1)
        to[next[1]++] = key;  // @write
      else
        to[next[0]++] = key;  // @write
    }
    from = to;
  }
}
