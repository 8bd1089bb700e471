// Random reads of textures, and of surfaces: a read for each thread, at coordinates of a buffer. README.md
// says what is compared.
#include <stdint.h>

#define THREAD                                               \
  const int i = blockIdx.x * blockDim.x + threadIdx.x;       \
  if (i >= n) return;                                        \
  const float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2]

extern "C" __global__ void read_1d(cudaTextureObject_t image, const float* at, float* out, int n) {
  THREAD;
  out[i] = tex1D<float>(image, x + 0 * y * z);
}
extern "C" __global__ void read_2d(cudaTextureObject_t image, const float* at, float* out, int n) {
  THREAD;
  out[i] = tex2D<float>(image, x, y + 0 * z);
}
extern "C" __global__ void read_3d(cudaTextureObject_t image, const float* at, float* out, int n) {
  THREAD;
  out[i] = tex3D<float>(image, x, y, z);
}
extern "C" __global__ void read_layer(cudaTextureObject_t image, const float* at, float* out, int n) {
  THREAD;
  out[i] = tex2DLayered<float>(image, x, y + 0 * z, i % 7 - 1);
}
extern "C" __global__ void read_whole(cudaTextureObject_t image, const float* at, uint32_t* out, int n) {
  THREAD;
  out[i] = tex2D<unsigned>(image, x, y + 0 * z);
}
extern "C" __global__ void read_channels(cudaTextureObject_t image, const float* at, float4* out, int n) {
  THREAD;
  out[i] = tex2D<float4>(image, x, y + 0 * z);
}
extern "C" __global__ void gather(cudaTextureObject_t image, const float* at, float4* out, int n) {
  THREAD;
  out[i] = tex2Dgather<float4>(image, x, y + 0 * z, 0);
}
extern "C" __global__ void fetch(const float* data, cudaTextureObject_t image, const float* at, float* out, int n) {
  THREAD;
  out[i] = tex1Dfetch<float>(image, static_cast<int>(x * 400 + 400 + 0 * y * z));
}
extern "C" __global__ void read_surface(cudaSurfaceObject_t image, const float* at, float* out, int n) {
  THREAD;
  surf2Dread(&out[i], image, static_cast<int>(x) * 4, static_cast<int>(y + 0 * z), cudaBoundaryModeZero);
}
extern "C" __global__ void write_surface(cudaSurfaceObject_t image, const float* at, int n) {
  THREAD;
  surf2Dwrite(x + y + z, image, i % 40 * 4, i / 40, cudaBoundaryModeZero);
}
