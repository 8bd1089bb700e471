#include "driver/client/failure.h"

#include <stdatomic.h>

static _Atomic int failure = CUDA_SUCCESS;

CUresult kernel_failure(void) { return (CUresult)failure; }

void note_launch(CUresult result) {
  int none = CUDA_SUCCESS;
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
      atomic_compare_exchange_strong(&failure, &none, (int)result);
      break;
    default:
      break;
  }
}

void forget_failure(void) { failure = CUDA_SUCCESS; }
