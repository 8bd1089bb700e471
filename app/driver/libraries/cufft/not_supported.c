// Functions of cuFFT that are not there, by the names that NVIDIA's library of CUDA 13 exports: each tells
// `lanescope run` its name, and fails. Their arguments are not looked at.
#include "driver/libraries/call.h"
#include "driver/libraries/include/cufft.h"

#define LACKS(function)                                               \
  cufftResult function(void);                                         \
  __attribute__((visibility("default"))) cufftResult function(void) { \
    note_not_supported(#function);                                    \
    return CUFFT_NOT_SUPPORTED;                                       \
  }
LACKS(cufftEstimate1d)
LACKS(cufftEstimate2d)
LACKS(cufftEstimate3d)
LACKS(cufftEstimateMany)
LACKS(cufftGetPlanPropertyInt64)
LACKS(cufftGetSize1d)
LACKS(cufftGetSize2d)
LACKS(cufftGetSize3d)
LACKS(cufftGetSizeMany)
LACKS(cufftGetSizeMany64)
LACKS(cufftResetPlanProperty)
LACKS(cufftSetPlanPropertyInt64)
LACKS(cufftXtClearCallback)
LACKS(cufftXtExecDescriptor)
LACKS(cufftXtExecDescriptorC2C)
LACKS(cufftXtExecDescriptorC2R)
LACKS(cufftXtExecDescriptorD2Z)
LACKS(cufftXtExecDescriptorR2C)
LACKS(cufftXtExecDescriptorZ2D)
LACKS(cufftXtExecDescriptorZ2Z)
LACKS(cufftXtFree)
LACKS(cufftXtGetSizeMany)
LACKS(cufftXtMakePlanGuru64)
LACKS(cufftXtMalloc)
LACKS(cufftXtMemcpy)
LACKS(cufftXtQueryPlan)
LACKS(cufftXtSetCallback)
LACKS(cufftXtSetCallbackSharedSize)
LACKS(cufftXtSetGPUs)
LACKS(cufftXtSetJITCallback)
LACKS(cufftXtSetWorkArea)
LACKS(cufftXtSetWorkAreaPolicy)
