// What a bank conflict is: a warp reads shared memory six times, and each time lanes meet in a bank.
// They conflict only where they need different 32-bit words of that bank.

extern "C" __global__ void conflict(const unsigned* in, unsigned* out) {
  __shared__ unsigned words[32][32];  // a row has 32 words, so a column lies in one bank

  const int lane = threadIdx.x;
  words[0][lane] = in[lane];       // the first row
  words[lane][0] = in[32 * lane];  // the first column: a store conflicts like a load

  __syncthreads();
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(words);

  const unsigned column = words[lane][0];         // @column 32 words of one bank
  const unsigned two_words = words[lane % 2][0];  // @two_words two words of one bank
  const unsigned one_word = words[0][7];          // @one_word all lanes the same word
  const unsigned pairs = words[0][lane / 2];      // @pairs two lanes a word
  const unsigned row_of_bytes = bytes[lane];      // @byte_row four lanes in the four bytes of a word
  const unsigned column_of_bytes = bytes[128 * lane + lane % 4];  // @byte_column bytes of 32 words

  out[lane] = column;
  out[32 + lane] = two_words;
  out[64 + lane] = one_word;
  out[96 + lane] = pairs;
  out[128 + lane] = row_of_bytes;
  out[160 + lane] = column_of_bytes;
}

// What `out` must hold: the same without shared memory.
extern "C" __global__ void conflict_directly(const unsigned* in, unsigned* out) {
  const int lane = threadIdx.x;
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(in);
  out[lane] = in[32 * lane];
  out[32 + lane] = in[32 * (lane % 2)];
  out[64 + lane] = in[7];
  out[96 + lane] = in[lane / 2];
  out[128 + lane] = bytes[lane];
  out[160 + lane] = bytes[128 * lane + lane % 4];
}
