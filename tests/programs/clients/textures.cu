// CUDA arrays, texture objects over arrays, linear memory and rows at a pitch, and surface objects.
#include "check.h"

static cudaArray_t array_of(const std::vector<float>& texels, size_t width, size_t height,
                            unsigned int flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, width, height, flags));
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float), width * sizeof(float),
                              height, cudaMemcpyHostToDevice));
  return array;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& sampler) {
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));
  return texture;
}

static size_t differences(const float* device, const std::vector<float>& expected, const char* what) {
  const std::vector<float> got = from_device(device, expected.size());
  size_t wrong = 0;
  for (size_t n = 0; n < expected.size(); ++n) {
    if (got[n] == expected[n]) continue;
    ++wrong;
    std::printf("%s: value %zu is %g, %g was expected\n", what, n, got[n], expected[n]);
  }
  return wrong;
}

__global__ void read_at(cudaTextureObject_t texture, const float2* at, float* to) {
  to[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}

/// The texels are 0 10 20 30 above 100 110 120 130. Halfway between two texels is their mean.
static size_t check_filter(float* to) {
  const cudaArray_t array = array_of({0, 10, 20, 30, 100, 110, 120, 130}, 4, 2, cudaArrayDefault);
  cudaTextureDesc sampler = {};
  sampler.filterMode = cudaFilterModeLinear;
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  const cudaTextureObject_t texture = texture_of(resource_of(array), sampler);
  const float2* at = on_device(std::vector<float2>{{0.5f, 0.5f}, {1, 0.5f}, {2, 1}, {9, 0.5f}});
  read_at<<<1, 4>>>(texture, at, to);
  require_launch("read_at");
  const size_t wrong = differences(to, {0, 5, 65, 30}, "linear filter");
  REQUIRE(cudaDestroyTextureObject(texture));
  REQUIRE(cudaFreeArray(array));
  return wrong;
}

/// A quarter of the width is a texel: 1.125 wraps to the texel 0, -0.125 to the last.
static size_t check_wrap(float* to) {
  const cudaArray_t array = array_of({0, 10, 20, 30, 100, 110, 120, 130}, 4, 2, cudaArrayDefault);
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeWrap;
  sampler.normalizedCoords = 1;
  const cudaTextureObject_t texture = texture_of(resource_of(array), sampler);
  const float2* at = on_device(std::vector<float2>{{1.125f, 0.25f}, {-0.125f, 0.25f}, {0.625f, 1.75f}});
  read_at<<<1, 3>>>(texture, at, to);
  require_launch("read_at");
  const size_t wrong = differences(to, {0, 30, 120}, "wrapped coordinates");
  REQUIRE(cudaDestroyTextureObject(texture));
  REQUIRE(cudaFreeArray(array));
  return wrong;
}

__global__ void fetch(cudaTextureObject_t texture, float* to) {
  to[threadIdx.x] = tex1Dfetch<float>(texture, 3 - static_cast<int>(threadIdx.x));
}

static size_t check_linear_memory(float* to) {
  float* from = on_device(std::vector<float>{9, 1, 2, 3, 4});
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = from + 1;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 4 * sizeof(float);
  const cudaTextureObject_t texture = texture_of(resource, {});
  fetch<<<1, 4>>>(texture, to);
  require_launch("fetch");
  return differences(to, {4, 3, 2, 1}, "linear memory");
}

/// Two rows of three bytes, which are read as numbers from 0 to 1: 51 is 0.2.
static size_t check_pitch(float* to) {
  unsigned char* rows = nullptr;
  size_t pitch = 0;
  const unsigned char texels[6] = {0, 51, 255, 255, 0, 51};
  REQUIRE(cudaMallocPitch(&rows, &pitch, 3, 2));
  REQUIRE(cudaMemcpy2D(rows, pitch, texels, 3, 3, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = rows;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
  resource.res.pitch2D.width = 3;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc sampler = {};
  sampler.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t texture = texture_of(resource, sampler);
  const float2* at = on_device(std::vector<float2>{{1.5f, 0.5f}, {0.5f, 1.5f}, {2.5f, 1.5f}});
  read_at<<<1, 3>>>(texture, at, to);
  require_launch("read_at");
  return differences(to, {0.2f, 1, 0.2f}, "rows at a pitch");
}

__global__ void read_layers(cudaTextureObject_t texture, float* to) {
  to[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, threadIdx.x);
}

__global__ void read_box(cudaTextureObject_t texture, float* to) {
  to[threadIdx.x] = tex3D<float>(texture, 1.5f, 0.5f, threadIdx.x + 0.5f);
}

/// Three slices of one row of two texels: 1 2, 3 4, 5 6.
static size_t check_slices(float* to, unsigned int flags) {
  const std::vector<float> texels{1, 2, 3, 4, 5, 6};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(2, 1, 3);
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels.data()), 2 * sizeof(float), 2, 1);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&copy));
  const cudaTextureObject_t texture = texture_of(resource_of(array), {});
  if (flags == cudaArrayLayered)
    read_layers<<<1, 3>>>(texture, to);
  else
    read_box<<<1, 3>>>(texture, to);
  require_launch("read_box");
  return differences(to, {2, 4, 6}, flags == cudaArrayLayered ? "layers" : "three dimensions");
}

__global__ void read_cubes(cudaTextureObject_t texture, bool has_several, float* to) {
  const float towards[3] = {threadIdx.x == 0 ? 1.0f : -0.5f, -0.5f, threadIdx.x == 0 ? -0.5f : -1.0f};
  to[threadIdx.x] = has_several ? texCubemapLayered<float>(texture, towards[0], towards[1], towards[2], 1)
                                : texCubemap<float>(texture, towards[0], towards[1], towards[2]);
}

/// Cubes of six faces of 2 x 2 texels, which are numbered. Towards +x the place on face 0 is (-z, -y),
/// towards -z that on face 5 is (-x, -y): (0.5, 0.5) is texel (1, 1) of both.
static size_t check_cubes(float* to, unsigned int cubes) {
  std::vector<float> texels(24 * cubes);
  for (size_t n = 0; n < texels.size(); ++n) texels[n] = static_cast<float>(n);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(2, 2, 6 * cubes);
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, extent,
                            cudaArrayCubemap | (cubes > 1 ? cudaArrayLayered : cudaArrayDefault)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), 2 * sizeof(float), 2, 2);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&copy));
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  const cudaTextureObject_t texture = texture_of(resource_of(array), how);
  read_cubes<<<1, 2>>>(texture, cubes > 1, to);
  require_launch("read_cubes");
  const float first = cubes > 1 ? 24 : 0;
  return differences(to, {first + 3, first + 23}, "cubes");
}

__global__ void write_surface(cudaSurfaceObject_t surface) {
  surf2Dwrite(10.0f * threadIdx.y + threadIdx.x, surface, threadIdx.x * static_cast<int>(sizeof(float)),
              threadIdx.y);
}

static size_t check_surface() {
  const cudaArray_t array = array_of(std::vector<float>(6, -1.0f), 3, 2, cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource));
  write_surface<<<1, dim3(3, 2)>>>(surface);
  require_launch("write_surface");
  std::vector<float> got(6);
  REQUIRE(cudaMemcpy2DFromArray(got.data(), 3 * sizeof(float), array, 0, 0, 3 * sizeof(float), 2,
                                cudaMemcpyDeviceToHost));
  REQUIRE(cudaDestroySurfaceObject(surface));
  size_t wrong = 0;
  for (size_t n = 0; n < got.size(); ++n) wrong += got[n] != 10.0f * (n / 3) + n % 3;
  if (wrong > 0) std::printf("surface: %zu texels differ\n", wrong);
  return wrong;
}

int main() {
  float* to = nullptr;
  REQUIRE(cudaMalloc(&to, 16 * sizeof(float)));
  const size_t wrong = check_filter(to) + check_wrap(to) + check_linear_memory(to) + check_pitch(to) +
                       check_slices(to, cudaArrayLayered) + check_slices(to, cudaArrayDefault) +
                       check_cubes(to, 1) + check_cubes(to, 2) + check_surface();
  return report("textures", wrong);
}
