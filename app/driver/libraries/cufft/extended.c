// Plans of cuFFT with sizes of 64 bits and with types of data, and their transforms.
#include "driver/libraries/call.h"
#include "driver/libraries/cufft/plan.h"
#include "driver/libraries/include/cufftXt.h"
#include "driver/libraries/number.h"

#include <limits.h>

#define EXPORTED __attribute__((visibility("default")))

/// Copies sizes that fit an int; a larger one becomes 0, which no plan has.
static const int* narrowed(int rank, const long long* from, int to[kMostRank]) {
  if (!from) return NULL;
  for (int n = 0; n < rank && n < kMostRank; ++n) to[n] = from[n] > INT_MAX || from[n] < 0 ? 0 : (int)from[n];
  return to;
}

static int narrow(long long value) { return value > INT_MAX || value < 0 ? -1 : (int)value; }

EXPORTED cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long* n, long long* in_embed,
                                         long long in_stride, long long in_distance, long long* out_embed,
                                         long long out_stride, long long out_distance, cufftType type,
                                         long long batch, size_t* size) {
  int sizes[kMostRank], in[kMostRank], out[kMostRank];
  return cufftMakePlanMany(handle, rank, (int*)narrowed(rank, n, sizes), (int*)narrowed(rank, in_embed, in),
                           narrow(in_stride), narrow(in_distance), (int*)narrowed(rank, out_embed, out),
                           narrow(out_stride), narrow(out_distance), type, narrow(batch), size);
}

/// The transform between two types of data, of which half counts as float; 0: there is none.
static cufftType type_between(cudaDataType in, cudaDataType out) {
  if (in == CUDA_C_16F && out == CUDA_C_16F) return CUFFT_C2C;
  if (in == CUDA_R_16F && out == CUDA_C_16F) return CUFFT_R2C;
  if (in == CUDA_C_16F && out == CUDA_R_16F) return CUFFT_C2R;
  if (in == CUDA_C_32F && out == CUDA_C_32F) return CUFFT_C2C;
  if (in == CUDA_R_32F && out == CUDA_C_32F) return CUFFT_R2C;
  if (in == CUDA_C_32F && out == CUDA_R_32F) return CUFFT_C2R;
  if (in == CUDA_C_64F && out == CUDA_C_64F) return CUFFT_Z2Z;
  if (in == CUDA_R_64F && out == CUDA_C_64F) return CUFFT_D2Z;
  if (in == CUDA_C_64F && out == CUDA_R_64F) return CUFFT_Z2D;
  return (cufftType)0;
}

EXPORTED cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long* n, long long* in_embed,
                                         long long in_stride, long long in_distance, cudaDataType in_type,
                                         long long* out_embed, long long out_stride, long long out_distance,
                                         cudaDataType out_type, long long batch, size_t* size,
                                         cudaDataType execution_type) {
  (void)execution_type;
  const cufftType type = type_between(in_type, out_type);
  if (type == 0) {
    note_not_supported("cufftXtMakePlanMany with types but half, float and double");
    return CUFFT_NOT_SUPPORTED;
  }
  const cufftResult result = cufftMakePlanMany64(handle, rank, n, in_embed, in_stride, in_distance, out_embed,
                                                 out_stride, out_distance, type, batch, size);
  const bool is_half = in_type == CUDA_C_16F || in_type == CUDA_R_16F;
  if (result == CUFFT_SUCCESS && is_half) set_number(handle, kHalf);
  return result;
}

EXPORTED cufftResult cufftXtExec(cufftHandle handle, void* in, void* out, int direction) {
  struct FftPlan plan = {.type = CUFFT_C2C};
  (void)find_plan(handle, &plan);  // a plan that is none is the transform's to tell
  switch (plan.type) {
    case CUFFT_R2C:
      return cufftExecR2C(handle, in, out);
    case CUFFT_C2R:
      return cufftExecC2R(handle, in, out);
    case CUFFT_Z2Z:
      return cufftExecZ2Z(handle, in, out, direction);
    case CUFFT_D2Z:
      return cufftExecD2Z(handle, in, out);
    case CUFFT_Z2D:
      return cufftExecZ2D(handle, in, out);
    default:
      return cufftExecC2C(handle, in, out, direction);
  }
}
