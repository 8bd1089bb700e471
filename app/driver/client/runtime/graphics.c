// Functions of cuda_gl_interop.h, for interoperation with OpenGL: programs can link them, but they are not
// supported. No parameters are declared, since none is read. Test: tests/unit/driver/client/runtime_test.cpp
#include "driver/client/runtime/generated.h"

#define NOT_SUPPORTED(name)        \
  EXPORTED cudaError_t name(void); \
  EXPORTED cudaError_t name(void) { return not_supported(#name); }

NOT_SUPPORTED(cudaGLGetDevices)
NOT_SUPPORTED(cudaGraphicsGLRegisterImage)
NOT_SUPPORTED(cudaGraphicsGLRegisterBuffer)
NOT_SUPPORTED(cudaGLSetGLDevice)
NOT_SUPPORTED(cudaGLRegisterBufferObject)
NOT_SUPPORTED(cudaGLMapBufferObject)
NOT_SUPPORTED(cudaGLUnmapBufferObject)
NOT_SUPPORTED(cudaGLUnregisterBufferObject)
NOT_SUPPORTED(cudaGLSetBufferObjectMapFlags)
NOT_SUPPORTED(cudaGLMapBufferObjectAsync)
NOT_SUPPORTED(cudaGLUnmapBufferObjectAsync)
