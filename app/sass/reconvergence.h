// Where the lanes of a warp reconverge in the machine code of a kernel, as places of its PTX. Method: a BSSY
// names where its lanes continue together; the lines of the instructions there lead to the basic block of the
// PTX where these paths meet. Where paths meet and no BSYNC stands, lanes stay apart up to the next barrier
// that encloses them, unless their branch became predicated instructions. Lanes that called different
// functions through a pointer stay apart as well. NVIDIA documents none of this: compared with the requests
// of random kernels on an H200, app/docs/numbers.md. Tests: tests/unit/sass/reconvergence_test.cpp

#pragma once

#include "ptx/convergence_barriers.h"
#include "ptx/program.h"
#include "sass/cubin.h"

#include <cstdint>
#include <memory>

namespace lanescope::sass {

struct Reconvergence {
  enum class Kind : uint8_t {
    WherePathsMeet,  // as the program has it
    AtBarriers,      // at `barriers` alone
    Unknown,         // a BSSY leads to no place of the PTX where paths meet, or lanes that wait go on (YIELD)
  };
  Kind kind = Kind::WherePathsMeet;
  std::shared_ptr<const ptx::ConvergenceBarriers> barriers = nullptr;  // null but for AtBarriers
};

Reconvergence reconvergence_of(const MachineFunction& function, const ptx::Program& program);

}  // namespace lanescope::sass
