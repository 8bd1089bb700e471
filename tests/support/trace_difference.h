// Whether two producers saw the same: lane by lane, the n-th address of each site, since a GPU may execute
// one instruction of a warp in several groups of lanes. A difference names site, block, warp, lane.

#pragma once

#include "trace/trace.h"

#include <string>

namespace lanescope::tests {

enum class Locals : uint8_t { ByAddress, ByCount };  // by count: a GPU's stack is laid out in its own way

/// Empty where both have the same blocks with the same accesses.
std::string difference_of_accesses(const trace::Trace& expected, const trace::Trace& found,
                                   Locals locals = Locals::ByAddress);

/// Requests alone depend on which lanes go together, and with them sectors and wavefronts.
enum class Requests : uint8_t { Equal, AtLeast };

/// Empty where both have the same totals, site by site.
std::string difference_of_totals(const trace::Trace& expected, const trace::Trace& found,
                                 Requests requests = Requests::Equal);

}  // namespace lanescope::tests
