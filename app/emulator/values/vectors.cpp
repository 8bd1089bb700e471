#include "emulator/values/vectors.h"

namespace lanescope::emulator {

Vectors best_vectors(Vectors most) {
#ifdef LANESCOPE_AVX512
  if (most == Vectors::Widest && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return Vectors::Widest;
#endif
#ifdef LANESCOPE_AVX2
  if (most != Vectors::Plain && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
      __builtin_cpu_supports("f16c") && __builtin_cpu_supports("movbe"))
    return Vectors::Avx2;
#endif
  static_cast<void>(most);
  return Vectors::Plain;
}

}  // namespace lanescope::emulator
