// Texture and surface objects: functions cuTexObject* and cuSurfObject*. Method: the server makes the object
// and its handle; a list here has the descriptors that a program may ask for.
// Test: tests/cli/texture_program_test.cpp
#include "driver/client/array.h"
#include "driver/client/connection.h"
#include "driver/client/current.h"
#include "driver/client/generated.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ImageObject {
  uint64_t handle;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;  // zeros if it is a surface
  struct ImageObject* next;
};

static struct ImageObject* objects;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CUresult describe_array(CUarray handle, struct LanescopeImage* image) {
  const struct CUarray_st* array = live_handle(kArrayHandle, handle);
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  const CUDA_ARRAY3D_DESCRIPTOR* shape = &array->shape;
  const int has_layers = (shape->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  image->address = array->address;
  image->width = shape->Width;
  image->height = shape->Height;
  image->depth = has_layers ? 0 : shape->Depth;
  image->layers = has_layers ? shape->Depth : 0;
  image->is_cube = (shape->Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  image->pitch_bytes = array->row_bytes;
  image->format = shape->Format;
  image->channels = shape->NumChannels;
  return CUDA_SUCCESS;
}

static CUresult describe_resource(const CUDA_RESOURCE_DESC* resource, struct LanescopeImage* image) {
  *image = (struct LanescopeImage){0};
  if (resource->resType == CU_RESOURCE_TYPE_ARRAY) return describe_array(resource->res.array.hArray, image);
  if (resource->resType == CU_RESOURCE_TYPE_LINEAR) {
    const size_t texel = resource->res.linear.numChannels * element_bytes(resource->res.linear.format);
    if (texel == 0) return not_supported("a texture over memory of this format");
    image->address = resource->res.linear.devPtr;
    image->width = resource->res.linear.sizeInBytes / texel;
    image->pitch_bytes = image->width * texel;
    image->format = resource->res.linear.format;
    image->channels = resource->res.linear.numChannels;
    image->is_linear = 1;
    return CUDA_SUCCESS;
  }
  if (resource->resType == CU_RESOURCE_TYPE_PITCH2D) {
    image->address = resource->res.pitch2D.devPtr;
    image->width = resource->res.pitch2D.width;
    image->height = resource->res.pitch2D.height;
    image->pitch_bytes = resource->res.pitch2D.pitchInBytes;
    image->format = resource->res.pitch2D.format;
    image->channels = resource->res.pitch2D.numChannels;
    return CUDA_SUCCESS;
  }
  return resource->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY ? not_supported("a texture with mipmaps")
                                                               : CUDA_ERROR_INVALID_VALUE;
}

static int is_narrow_integer(uint32_t format) {
  return format != CU_AD_FORMAT_HALF && element_bytes((CUarray_format)format) <= 2;
}

static CUresult describe_sampler(const CUDA_TEXTURE_DESC* texture, struct LanescopeImage* image) {
  int has_border = 0, has_color = 0;
  for (int n = 0; n < 3; ++n) {
    image->address_mode[n] = texture->addressMode[n];
    has_border |= texture->addressMode[n] == CU_TR_ADDRESS_MODE_BORDER;
  }
  for (int n = 0; n < 4; ++n) has_color |= texture->borderColor[n] != 0;
  if (texture->flags & CU_TRSF_SRGB) return not_supported("a texture of sRGB colors");
  if (has_border && has_color) return not_supported("a texture whose border is not 0");
  image->filter = texture->filterMode;
  image->is_normalized = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  image->reads_float = !(texture->flags & CU_TRSF_READ_AS_INTEGER) && is_narrow_integer(image->format);
  return CUDA_SUCCESS;
}

static CUresult make_object(const char* function, const struct LanescopeImage* image,
                            const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                            uint64_t* handle) {
  const struct iovec part = {(void*)image, sizeof *image};
  struct ImageObject* made = calloc(1, sizeof *made);
  struct Reply reply;
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = ask(kLanescopeMakeImage, 0, 0, &part, 1, &reply);
  if (result != CUDA_SUCCESS && reply.size > 0) complain("%s: %s", function, reply.payload);
  if (result == CUDA_SUCCESS) {
    *handle = reply.r[0];
    made->handle = *handle;
    made->resource = *resource;
    if (texture) made->texture = *texture;
    pthread_mutex_lock(&lock);
    made->next = objects;
    objects = made;
    pthread_mutex_unlock(&lock);
  } else {
    free(made);
  }
  free_reply(&reply);
  return result;
}

static CUresult end_object(uint64_t handle) {
  struct Reply reply;
  TRY(check_context());
  pthread_mutex_lock(&lock);
  struct ImageObject** at = &objects;
  while (*at && (*at)->handle != handle) at = &(*at)->next;
  struct ImageObject* gone = *at;
  if (gone) *at = gone->next;
  pthread_mutex_unlock(&lock);
  if (!gone) return CUDA_ERROR_INVALID_VALUE;
  free(gone);
  ask(kLanescopeEndImage, handle, 0, NULL, 0, &reply);  // fails if the object ended with its memory
  free_reply(&reply);
  return CUDA_SUCCESS;
}

static CUresult find_object(uint64_t handle, struct ImageObject* found) {
  TRY(driver_state());
  pthread_mutex_lock(&lock);
  const struct ImageObject* at = objects;
  while (at && at->handle != handle) at = at->next;
  if (at) *found = *at;
  pthread_mutex_unlock(&lock);
  return at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                                   const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  struct LanescopeImage image;
  uint64_t handle;
  TRY(check_context());
  if (!object || !resource || !texture) return CUDA_ERROR_INVALID_VALUE;
  if (view && view->format != CU_RES_VIEW_FORMAT_NONE) return not_supported("a texture with a resource view");
  TRY(describe_resource(resource, &image));
  TRY(describe_sampler(texture, &image));
  TRY(make_object("cuTexObjectCreate", &image, resource, texture, &handle));
  *object = handle;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTexObjectDestroy(CUtexObject object) { return end_object(object); }

CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  struct ImageObject found;
  TRY(find_object(object, &found));
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  *resource = found.resource;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
  struct ImageObject found;
  TRY(find_object(object, &found));
  if (!texture) return CUDA_ERROR_INVALID_VALUE;
  *texture = found.texture;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
  struct ImageObject found;
  TRY(find_object(object, &found));
  if (!view) return CUDA_ERROR_INVALID_VALUE;
  memset(view, 0, sizeof *view);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  struct LanescopeImage image;
  uint64_t handle;
  TRY(check_context());
  if (!object || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  TRY(describe_resource(resource, &image));
  image.is_surface = 1;
  image.is_cube = 0;  // a surface has the faces as layers
  TRY(make_object("cuSurfObjectCreate", &image, resource, NULL, &handle));
  *object = handle;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject object) { return end_object(object); }

CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return cuTexObjectGetResourceDesc(resource, object);
}
