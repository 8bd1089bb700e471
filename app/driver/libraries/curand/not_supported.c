// Functions of cuRAND that are not there, by the names that NVIDIA's library of CUDA 13 exports: each tells
// `lanescope run` its name, and fails. Their arguments are not looked at.
#include "driver/libraries/call.h"
#include "driver/libraries/include/curand.h"

#define LACKS(function)                                                  \
  curandStatus_t function(void);                                         \
  __attribute__((visibility("default"))) curandStatus_t function(void) { \
    note_not_supported(#function);                                       \
    return CURAND_STATUS_TYPE_ERROR;                                     \
  }
LACKS(curandCreatePoissonDistribution)
LACKS(curandDestroyDistribution)
LACKS(curandGenerateBinomial)
LACKS(curandGenerateBinomialMethod)
LACKS(curandGenerateLongLong)
LACKS(curandGeneratePoissonMethod)
LACKS(curandGetDirectionVectors32)
LACKS(curandGetDirectionVectors64)
LACKS(curandGetScrambleConstants32)
LACKS(curandGetScrambleConstants64)
LACKS(curandSetQuasiRandomGeneratorDimensions)
