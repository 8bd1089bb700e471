// CRC-32 of 32 bytes per thread, with a table that the block computes into shared memory first.
extern "C" __global__ void crc32(const unsigned char* in, unsigned* out) {
  __shared__ unsigned table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ 0xedb88320u : rest >> 1;
    table[i] = rest;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned crc = ~0u;
  for (int n = 0; n < 32; ++n) crc = table[(crc ^ in[i * 32 + n]) & 255] ^ crc >> 8;
  out[i] = ~crc;
}
