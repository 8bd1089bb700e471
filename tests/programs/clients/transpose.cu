// Transposes of a matrix whose sides are no multiples of the tile: by rows, and through a padded tile in
// shared memory.
#include "check.h"

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_by_rows(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < min(height, (blockIdx.y + 1) * kTile); y += kRows)
    if (x < width) out[x * height + y] = in[y * width + x];
}

__global__ void transpose_by_tiles(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows)
    if (x < width && y + row < height) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows)
    if (x < height && y + row < width) out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}

int main() {
  const int width = 200, height = 133;
  const std::vector<float> matrix = numbers(width * height);
  float* in = on_device(matrix);
  float* out = on_device(std::vector<float>(matrix.size(), -1));
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), block(kTile, kRows);
  size_t wrong = 0;
  for (auto* transpose : {transpose_by_rows, transpose_by_tiles}) {
    REQUIRE(cudaMemset(out, 0xff, matrix.size() * sizeof(float)));
    transpose<<<grid, block>>>(in, out, width, height);
    require_launch("transpose");
    const std::vector<float> turned = from_device(out, matrix.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) wrong += !(turned[x * height + y] == matrix[y * width + x]);
  }
  REQUIRE(cudaFree(in));
  REQUIRE(cudaFree(out));
  return report("transpose", wrong);
}
