// Edit distance of two words of 32 letters per warp: the table's diagonals, a lane per row, neighbors by shuffles.
extern "C" __global__ void levenshtein(const unsigned char* words, int* distances) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const unsigned char mine = words[warp * 64 + lane] % 8;
  int left = lane + 1, corner = lane, value = 0;  // cells of this row: the one before, and the one above that
  for (int diagonal = 0; diagonal < 63; ++diagonal) {
    const int column = diagonal - lane;
    int above = __shfl_up_sync(0xffffffffu, value, 1);
    if (lane == 0) above = column + 1;
    if (column >= 0 && column < 32) {
      const bool same = words[warp * 64 + 32 + column] % 8 == mine;
      value = min(min(left, above) + 1, corner + (same ? 0 : 1));
      left = value;
      corner = above;
    }
  }
  if (lane == 31) distances[warp] = value;
}
