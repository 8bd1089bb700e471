// Texture and surface objects. Test: tests/cli/texture_program_test.cpp
#include "driver/client/runtime/array.h"
#include "driver/client/runtime/generated.h"

#include <string.h>

static CUresult convert_resource(const struct cudaResourceDesc* resource, CUDA_RESOURCE_DESC* converted) {
  memset(converted, 0, sizeof *converted);
  converted->resType = (CUresourcetype)resource->resType;
  switch (resource->resType) {
    case cudaResourceTypeArray:
      converted->res.array.hArray = (CUarray)resource->res.array.array;
      return CUDA_SUCCESS;
    case cudaResourceTypeLinear:
      converted->res.linear.devPtr = device_pointer(resource->res.linear.devPtr);
      converted->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
      return convert_channels(&resource->res.linear.desc, &converted->res.linear.format,
                              &converted->res.linear.numChannels);
    case cudaResourceTypePitch2D:
      converted->res.pitch2D.devPtr = device_pointer(resource->res.pitch2D.devPtr);
      converted->res.pitch2D.width = resource->res.pitch2D.width;
      converted->res.pitch2D.height = resource->res.pitch2D.height;
      converted->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
      return convert_channels(&resource->res.pitch2D.desc, &converted->res.pitch2D.format,
                              &converted->res.pitch2D.numChannels);
    default:
      return CUDA_SUCCESS;
  }
}

static void restore_resource(const CUDA_RESOURCE_DESC* resource, struct cudaResourceDesc* restored) {
  memset(restored, 0, sizeof *restored);
  restored->resType = (enum cudaResourceType)resource->resType;
  if (resource->resType == CU_RESOURCE_TYPE_ARRAY) {
    restored->res.array.array = (cudaArray_t)resource->res.array.hArray;
  } else if (resource->resType == CU_RESOURCE_TYPE_LINEAR) {
    restored->res.linear.devPtr = (void*)(uintptr_t)resource->res.linear.devPtr;
    restored->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
    restored->res.linear.desc = channels_of(resource->res.linear.format, resource->res.linear.numChannels);
  } else {
    restored->res.pitch2D.devPtr = (void*)(uintptr_t)resource->res.pitch2D.devPtr;
    restored->res.pitch2D.width = resource->res.pitch2D.width;
    restored->res.pitch2D.height = resource->res.pitch2D.height;
    restored->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
    restored->res.pitch2D.desc = channels_of(resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
  }
}

cudaError_t CUDARTAPI cudaCreateTextureObject(cudaTextureObject_t* object,
                                              const struct cudaResourceDesc* resource,
                                              const struct cudaTextureDesc* texture,
                                              const struct cudaResourceViewDesc* view) {
  CUDA_RESOURCE_DESC converted;
  CUDA_TEXTURE_DESC sampler = {0};
  if (!object || !resource || !texture) return answer_error(cudaErrorInvalidValue);
  const CUresult result = convert_resource(resource, &converted);
  if (result != CUDA_SUCCESS) return answer(result);
  for (int n = 0; n < 3; ++n) sampler.addressMode[n] = (CUaddress_mode)texture->addressMode[n];
  sampler.filterMode = (CUfilter_mode)texture->filterMode;
  sampler.flags = (texture->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
                  (texture->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                  (texture->sRGB ? CU_TRSF_SRGB : 0u);
  sampler.maxAnisotropy = texture->maxAnisotropy;
  sampler.mipmapFilterMode = (CUfilter_mode)texture->mipmapFilterMode;
  memcpy(sampler.borderColor, texture->borderColor, sizeof sampler.borderColor);
  ANSWER(cuTexObjectCreate(object, &converted, &sampler, (const CUDA_RESOURCE_VIEW_DESC*)view));
}

cudaError_t CUDARTAPI cudaDestroyTextureObject(cudaTextureObject_t object) {
  ANSWER(object ? cuTexObjectDestroy(object) : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource,
                                                       cudaTextureObject_t object) {
  CUDA_RESOURCE_DESC found;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = cuTexObjectGetResourceDesc(&found, object);
  if (result == CUDA_SUCCESS && !resource) result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS) restore_resource(&found, resource);
  return answer(result);
}

cudaError_t CUDARTAPI cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* texture,
                                                      cudaTextureObject_t object) {
  CUDA_TEXTURE_DESC found;
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = cuTexObjectGetTextureDesc(&found, object);
  if (result == CUDA_SUCCESS && !texture) result = CUDA_ERROR_INVALID_VALUE;
  if (result != CUDA_SUCCESS) return answer(result);
  *texture = (struct cudaTextureDesc){
      .filterMode = (enum cudaTextureFilterMode)found.filterMode,
      .readMode =
          found.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
      .normalizedCoords = (found.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0};
  for (int n = 0; n < 3; ++n) texture->addressMode[n] = (enum cudaTextureAddressMode)found.addressMode[n];
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                              const struct cudaResourceDesc* resource) {
  CUDA_RESOURCE_DESC converted;
  if (!object || !resource) return answer_error(cudaErrorInvalidValue);
  const CUresult result = convert_resource(resource, &converted);
  if (result != CUDA_SUCCESS) return answer(result);
  ANSWER(cuSurfObjectCreate(object, &converted));
}

cudaError_t CUDARTAPI cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  ANSWER(object ? cuSurfObjectDestroy(object) : CUDA_SUCCESS);
}

cudaError_t CUDARTAPI cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource,
                                                       cudaSurfaceObject_t object) {
  return cudaGetTextureObjectResourceDesc(resource, object);
}
