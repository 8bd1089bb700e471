// Copies and fills. generate.py writes each NAMEAsync.
#include "driver/client/runtime/generated.h"

#include <string.h>

static int is_of_device(const void* memory) {
  unsigned int type = 0;
  return cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device_pointer(memory)) ==
             CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE;
}

/// Copies in the direction of `kind`. A device pointer in place of a host pointer is accepted; a host pointer
/// in place of a device pointer is an error, which the driver finds. Measured on an H200 with CUDA 13.0.
static CUresult copy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return is_of_device(from) ? cuMemcpyDtoD(device_pointer(to), device_pointer(from), size)
                                : cuMemcpyHtoD(device_pointer(to), from, size);
    case cudaMemcpyDeviceToHost:
      return is_of_device(to) ? cuMemcpyDtoD(device_pointer(to), device_pointer(from), size)
                              : cuMemcpyDtoH(to, device_pointer(from), size);
    case cudaMemcpyDeviceToDevice:
      return cuMemcpyDtoD(device_pointer(to), device_pointer(from), size);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
      return cuMemcpy(device_pointer(to), device_pointer(from), size);
    default:
      return (CUresult)cudaErrorInvalidMemcpyDirection;
  }
}

cudaError_t CUDARTAPI cudaMemcpy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind) {
  ANSWER(copy(to, from, size, kind));
}

cudaError_t CUDARTAPI cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                     size_t size) {
  CUresult result = start_runtime();
  if (result == CUDA_SUCCESS) result = check_device_number(to_device);
  if (result == CUDA_SUCCESS) result = check_device_number(from_device);
  return answer(result == CUDA_SUCCESS ? cuMemcpyDtoD(device_pointer(to), device_pointer(from), size)
                                       : result);
}

CUmemorytype source_type(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost ? CU_MEMORYTYPE_HOST
         : kind == cudaMemcpyDefault                                    ? CU_MEMORYTYPE_UNIFIED
                                                                        : CU_MEMORYTYPE_DEVICE;
}

CUmemorytype destination_type(enum cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost ? CU_MEMORYTYPE_HOST
         : kind == cudaMemcpyDefault                                    ? CU_MEMORYTYPE_UNIFIED
                                                                        : CU_MEMORYTYPE_DEVICE;
}

cudaError_t CUDARTAPI cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, enum cudaMemcpyKind kind) {
  if ((unsigned int)kind > cudaMemcpyDefault) return answer_error(cudaErrorInvalidMemcpyDirection);
  if (width > to_pitch || width > from_pitch) return answer_error(cudaErrorInvalidPitchValue);
  const CUDA_MEMCPY2D rectangle = {.srcMemoryType = source_type(kind),
                                   .srcHost = from,
                                   .srcDevice = device_pointer(from),
                                   .srcPitch = from_pitch,
                                   .dstMemoryType = destination_type(kind),
                                   .dstHost = to,
                                   .dstDevice = device_pointer(to),
                                   .dstPitch = to_pitch,
                                   .WidthInBytes = width,
                                   .Height = height};
  ANSWER(cuMemcpy2DUnaligned(&rectangle));
}

/// Positions in an array are in texels, and the extent is if any side is an array; all others are in bytes.
CUresult convert_box(const struct cudaMemcpy3DParms* box, CUDA_MEMCPY3D* converted) {
  size_t from_texel = 1, to_texel = 1;
  if (!box) return CUDA_ERROR_INVALID_VALUE;
  if ((unsigned int)box->kind > cudaMemcpyDefault) return (CUresult)cudaErrorInvalidMemcpyDirection;
  CUresult result = box->srcArray ? texel_bytes(box->srcArray, &from_texel) : CUDA_SUCCESS;
  if (result == CUDA_SUCCESS && box->dstArray) result = texel_bytes(box->dstArray, &to_texel);
  if (result != CUDA_SUCCESS) return result;
  if (box->srcArray && box->dstArray && from_texel != to_texel) return CUDA_ERROR_INVALID_VALUE;
  *converted =
      (CUDA_MEMCPY3D){.srcXInBytes = box->srcPos.x * from_texel,
                      .srcArray = (CUarray)box->srcArray,
                      .dstArray = (CUarray)box->dstArray,
                      .srcY = box->srcPos.y,
                      .srcZ = box->srcPos.z,
                      .srcMemoryType = box->srcArray ? CU_MEMORYTYPE_ARRAY : source_type(box->kind),
                      .srcHost = box->srcPtr.ptr,
                      .srcDevice = device_pointer(box->srcPtr.ptr),
                      .srcPitch = box->srcPtr.pitch,
                      .srcHeight = box->srcPtr.ysize,
                      .dstXInBytes = box->dstPos.x * to_texel,
                      .dstY = box->dstPos.y,
                      .dstZ = box->dstPos.z,
                      .dstMemoryType = box->dstArray ? CU_MEMORYTYPE_ARRAY : destination_type(box->kind),
                      .dstHost = box->dstPtr.ptr,
                      .dstDevice = device_pointer(box->dstPtr.ptr),
                      .dstPitch = box->dstPtr.pitch,
                      .dstHeight = box->dstPtr.ysize,
                      .WidthInBytes = box->extent.width * (box->srcArray ? from_texel : to_texel),
                      .Height = box->extent.height,
                      .Depth = box->extent.depth};
  return CUDA_SUCCESS;
}

cudaError_t CUDARTAPI cudaMemcpy3D(const struct cudaMemcpy3DParms* box) {
  CUDA_MEMCPY3D converted;
  const CUresult result = convert_box(box, &converted);
  if (result != CUDA_SUCCESS) return answer(result);
  ANSWER(cuMemcpy3D(&converted));
}

cudaError_t CUDARTAPI cudaMemset(void* memory, int value, size_t size) {
  ANSWER(cuMemsetD8(device_pointer(memory), (unsigned char)value, size));
}

cudaError_t CUDARTAPI cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  ANSWER(cuMemsetD2D8(device_pointer(memory), pitch, (unsigned char)value, width, height));
}

/// Fills slice by slice: rows between two slices may lie outside of the box.
cudaError_t CUDARTAPI cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent) {
  CUresult result = start_runtime();
  if (extent.height > memory.ysize && extent.depth > 1) return answer_error(cudaErrorInvalidValue);
  for (size_t slice = 0; slice < extent.depth && result == CUDA_SUCCESS; ++slice)
    result = cuMemsetD2D8(device_pointer(memory.ptr) + slice * memory.pitch * memory.ysize, memory.pitch,
                          (unsigned char)value, extent.width, extent.height);
  return answer(result);
}

// Variables of a module, by their host counterparts.

CUresult place_in_variable(const void* symbol, size_t offset, size_t size, void** address) {
  CUdeviceptr begin = 0;
  size_t room = 0;
  const CUresult result = variable_of(symbol, &begin, &room);
  if (result == CUDA_SUCCESS && (offset > room || size > room - offset)) return CUDA_ERROR_INVALID_VALUE;
  *address = (void*)(uintptr_t)(begin + offset);
  return result;
}

cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                                         enum cudaMemcpyKind kind) {
  void* to = NULL;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return answer_error(cudaErrorInvalidMemcpyDirection);
  const CUresult result = place_in_variable(symbol, offset, size, &to);
  return answer(result != CUDA_SUCCESS ? result : copy(to, from, size, kind));
}

cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                           enum cudaMemcpyKind kind) {
  void* from = NULL;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return answer_error(cudaErrorInvalidMemcpyDirection);
  const CUresult result = place_in_variable(symbol, offset, size, &from);
  return answer(result != CUDA_SUCCESS ? result : copy(to, from, size, kind));
}

cudaError_t CUDARTAPI cudaGetSymbolAddress(void** address, const void* symbol) {
  return answer(address ? place_in_variable(symbol, 0, 0, address) : CUDA_ERROR_INVALID_VALUE);
}

cudaError_t CUDARTAPI cudaGetSymbolSize(size_t* size, const void* symbol) {
  CUdeviceptr ignored;
  return answer(size ? variable_of(symbol, &ignored, size) : CUDA_ERROR_INVALID_VALUE);
}
