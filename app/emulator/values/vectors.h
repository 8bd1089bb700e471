// Code that is compiled once per instruction set of the CPU, each time in another namespace,
// LANESCOPE_VECTORS (emulator.cmake): the executor and the fast checks. Tests: tests/support/engines.h

#pragma once

#include "emulator/options.h"

#ifndef LANESCOPE_VECTORS
#define LANESCOPE_VECTORS plain_vectors
#endif

namespace lanescope::emulator {

/// The best instruction set that was built and that this machine has, at most `most`. Widest: AVX-512.
Vectors best_vectors(Vectors most);

namespace LANESCOPE_VECTORS {

/// Size of a vector register of this instruction set in bytes.
#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

}  // namespace LANESCOPE_VECTORS
}  // namespace lanescope::emulator
