// Instructions that one lane of a warp makes: the assembler guards an atomic whose address does not depend on
// the lane by a comparison of the lane's number with that of the lane that a vote elected. Method: the
// comparison is the last ISETP before the instruction that writes its predicate, and one of its operands is
// the last S2R of SR_LANEID to that register. NVIDIA documents none of these bits; they were compared with
// the text of nvdisasm for sm_75, 80 and 90. Tests: tests/unit/sass/elected_lane_test.cpp

#pragma once

#include "sass/cubin.h"

#include <cstdint>

namespace lanescope::sass {

/// True if the predicate of the instruction at `pc` is true in the lane with one number alone.
bool is_of_one_lane(const MachineFunction& function, uint32_t pc);

}  // namespace lanescope::sass
