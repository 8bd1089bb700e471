#include "emulator/exec/fast_checks.h"

#include "emulator/exec/access_check.h"
#include "emulator/exec/group_check.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {

const FastChecks fast_checks{check_group, check_whole_warp, check_lanes};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
