// Going to what a check found: its line, in the block and the warp of its thread.
// Test: tests/gui/output_test.cpp

#pragma once

#include "trace/hazard.h"
#include "view/context.h"

namespace lanescope::view {

/// Selects block, warp and line of the hazard.
void go_to(const Context& context, const trace::Hazard& hazard);
/// "Show thread (31,7,0) of block (1,2,0)".
std::string where_it_goes(const Context& context, const trace::Hazard& hazard);

}  // namespace lanescope::view
