#include "driver/client/stream.h"

#include "driver/client/connection.h"
#include "driver/client/current.h"

int is_legacy_stream(CUstream stream) { return !stream || stream == CU_STREAM_LEGACY; }

int is_default_stream(CUstream stream) { return is_legacy_stream(stream) || stream == CU_STREAM_PER_THREAD; }

CUresult check_stream(CUstream stream) {
  TRY(check_context());
  const int is_stream = is_default_stream(stream) || live_handle(kStreamHandle, stream);
  return is_stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

uint64_t stream_number(CUstream stream) {
  return stream == CU_STREAM_PER_THREAD ? 2 : is_default_stream(stream) ? 0 : stream->number;
}

int stream_place(CUstream stream) {
  return stream == CU_STREAM_PER_THREAD ? 1 : is_default_stream(stream) ? 0 : stream->place;
}
