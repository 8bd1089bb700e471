// Streams and events.
#include "driver/client/runtime/generated.h"

cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  ANSWER(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  ANSWER(cuStreamCreate(stream, flags));
}

cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t* stream) {
  ANSWER(cuStreamCreate(stream, CU_STREAM_DEFAULT));
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) { ANSWER(cuStreamDestroy(stream)); }

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) { ANSWER(cuStreamSynchronize(stream)); }

cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream) { ANSWER(cuStreamQuery(stream)); }

cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  ANSWER(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                            unsigned int flags) {
  // The callback types of runtime and driver differ only in the name of the error type.
  ANSWER(cuStreamAddCallback(stream, (CUstreamCallback)(void*)callback, data, flags));
}

cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  ANSWER(cuStreamGetFlags(stream, flags));
}

cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  ANSWER(cuStreamGetPriority(stream, priority));
}

cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  ANSWER(cuStreamGetId(stream, id));
}

cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t stream, int* device) {
  ANSWER(cuStreamGetDevice(stream, device));
}

cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
  ANSWER(cuStreamIsCapturing(stream, (CUstreamCaptureStatus*)status));
}

cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  ANSWER(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode*)mode));
}

cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, size_t size,
                                               unsigned int flags) {
  ANSWER(cuStreamAttachMemAsync(stream, device_pointer(memory), size, flags));
}

cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  ANSWER(cuStreamCopyAttributes(to, from));
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  ANSWER(cuEventCreate(event, flags));
}

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) { ANSWER(cuEventCreate(event, CU_EVENT_DEFAULT)); }

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ANSWER(cuEventRecord(event, stream));
}

cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  ANSWER(cuEventRecordWithFlags(event, stream, flags));
}

cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event) { ANSWER(cuEventQuery(event)); }

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) { ANSWER(cuEventSynchronize(event)); }

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) { ANSWER(cuEventDestroy(event)); }

cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  ANSWER(cuEventElapsedTime(milliseconds, start, end));
}
