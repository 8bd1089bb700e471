// Choice among the instruction sets that some code is compiled for (emulator.cmake): the best that was built
// and that this machine has. Tests: tests/support/engines.h

#pragma once

#include "emulator/options.h"

namespace lanescope::emulator {

/// Widest: AVX-512. At most `most`.
Vectors best_vectors(Vectors most);

}  // namespace lanescope::emulator
