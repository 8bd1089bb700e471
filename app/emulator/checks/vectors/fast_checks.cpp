#include "emulator/checks/vectors/fast_checks.h"

#include "emulator/checks/vectors/access_check.h"
#include "emulator/checks/vectors/group_check.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {

const FastChecks kFastChecks{check_group, check_whole_warp, check_lanes};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
