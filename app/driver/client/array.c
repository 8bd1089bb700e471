// Functions cuArray*.
#include "driver/client/array.h"

#include "driver/client/capture.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"
#include "driver/client/memory.h"

size_t element_bytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

static size_t at_least_one(size_t extent) { return extent ? extent : 1; }

static CUresult check_shape(const CUDA_ARRAY3D_DESCRIPTOR* shape) {
  const unsigned int known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                             CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  const int is_layered = (shape->Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((shape->Flags & ~known) != 0 || element_bytes(shape->Format) == 0)
    return not_supported("a CUDA array of this format or with these flags");
  if (shape->NumChannels != 1 && shape->NumChannels != 2 && shape->NumChannels != 4)
    return invalid("cuArray3DCreate: a texel has 1, 2 or 4 channels, %u were given", shape->NumChannels);
  if (shape->Width == 0 || (shape->Depth > 0 && shape->Height == 0 && !is_layered) ||
      (is_layered && shape->Depth == 0))
    return invalid("cuArray3DCreate: %zu x %zu x %zu are no extents of an array", shape->Width, shape->Height,
                   shape->Depth);
  if ((shape->Flags & CUDA_ARRAY3D_CUBEMAP) &&
      (shape->Width != shape->Height || shape->Depth % 6 != 0 || (!is_layered && shape->Depth != 6)))
    return invalid("cuArray3DCreate: a cube has six square faces, %zu x %zu x %zu was given", shape->Width,
                   shape->Height, shape->Depth);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* shape) {
  CUcontext context;
  size_t row, slice, size;
  CUdeviceptr address;
  TRY(current_context(&context));
  TRY(check_safe_call());
  if (!array || !shape) return CUDA_ERROR_INVALID_VALUE;
  TRY(check_shape(shape));
  if (__builtin_mul_overflow(shape->Width, shape->NumChannels * element_bytes(shape->Format), &row) ||
      __builtin_mul_overflow(row, at_least_one(shape->Height), &slice) ||
      __builtin_mul_overflow(slice, at_least_one(shape->Depth), &size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  TRY(allocate_memory("cuArray3DCreate", size, kArrayMemory, 0, NULL, &address));
  struct CUarray_st* made = make_handle(kArrayHandle, sizeof *made, context);
  if (!made) {
    release_memory("cuArray3DCreate", address, kArrayMemory);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  made->shape = *shape;
  made->address = address;
  made->row_bytes = row;
  made->rows = at_least_one(shape->Height);
  made->slices = at_least_one(shape->Depth);
  *array = made;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* shape) {
  if (!shape) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR box = {.Width = shape->Width,
                                       .Height = shape->Height,
                                       .Format = shape->Format,
                                       .NumChannels = shape->NumChannels};
  return cuArray3DCreate_v2(array, &box);
}

CUresult CUDAAPI cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* shape, CUarray array) {
  TRY(driver_state());
  const struct CUarray_st* found = live_handle(kArrayHandle, array);
  if (!shape || !found) return found ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
  *shape = found->shape;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* shape, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR box;
  if (!shape) return CUDA_ERROR_INVALID_VALUE;
  TRY(cuArray3DGetDescriptor_v2(&box, array));
  *shape = (CUDA_ARRAY_DESCRIPTOR){
      .Width = box.Width, .Height = box.Height, .Format = box.Format, .NumChannels = box.NumChannels};
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuArrayDestroy(CUarray array) {
  TRY(check_context());
  TRY(check_safe_call());
  struct CUarray_st* gone = live_handle(kArrayHandle, array);
  if (!gone) return CUDA_ERROR_INVALID_HANDLE;
  const CUdeviceptr address = gone->address;
  drop_handle(gone);
  return release_memory("cuArrayDestroy", address, kArrayMemory);
}
