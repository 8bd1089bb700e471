// A tile in shared memory whose 16-byte parts CuTe swizzles, read by ldmatrix as operand A of mma.m16n8k16.

#include <cstdio>
#include <vector>

#include <cute/tensor.hpp>

using namespace cute;

using Rows = Layout<Shape<_8, _64>, Stride<_64, _1>>;
using Swizzled = decltype(tile_to_shape(composition(Swizzle<3, 3, 3>{}, Rows{}), Shape<_32, _64>{}));

__global__ void read_tile(const half_t* in, half_t* out) {
  __shared__ alignas(128) half_t buffer[32 * 64];
  Tensor tile = make_tensor(make_smem_ptr(buffer), Swizzled{});
  for (int i = threadIdx.x; i < 32 * 64; i += blockDim.x) tile(i / 64, i % 64) = in[i];
  __syncthreads();
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
  auto copy = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto slice = copy.get_slice(threadIdx.x);
  Tensor fragment = mma.get_slice(threadIdx.x).partition_fragment_A(tile);
  Tensor to = slice.retile_D(fragment);
  cute::copy(copy, slice.partition_S(tile), to);
  for (int i = 0; i < size(fragment); ++i) out[threadIdx.x * size(fragment) + i] = fragment(i);
}

int main() {
  std::vector<half_t> values(32 * 64);
  half_t *in, *out;
  cudaMalloc(&in, values.size() * sizeof(half_t));
  cudaMalloc(&out, values.size() * sizeof(half_t));
  read_tile<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
