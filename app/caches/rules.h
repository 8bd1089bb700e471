// Rules of an H100's caches that a person can switch off, to see what each is worth. Method: each rule was
// inferred from counters or from single loads that were timed; NVIDIA documents none of them. Source:
// tests/data/caches/README.md. Tests: tests/unit/caches/*

#pragma once

#include "base/error.h"

#include <array>
#include <string_view>

namespace lanescope::caches {

struct Rules {
  bool ages = true;      // a line that was hit stays longer than one that was not; else the least recent goes
  bool set_hash = true;  // sets of the L1 by an exclusive or of address bits; else by the lowest bits
  bool data_limit = true;       // the carve-out limits data; else only the tags limit
  bool stores_allocate = true;  // bytes that were stored are in the L1
  bool evict_first = true;      // lines of .cs and evict_first go first, also from the L2
  bool halves = true;  // two partitions of the L2, each keeps what its multiprocessors read; else one L2
  bool pairs = true;   // a miss of the L2 reads 64 bytes; else a sector
  bool partial_lines = true;  // beyond 5 MB the L2 reads the rest of sectors that were stored in part
  bool jitter = true;         // latencies vary, and blocks go to multiprocessors in no fixed order
};

struct RuleName {
  std::string_view name;
  bool Rules::* rule;
};
inline constexpr std::array kRuleNames{RuleName{"ages", &Rules::ages},
                                       RuleName{"set-hash", &Rules::set_hash},
                                       RuleName{"data-limit", &Rules::data_limit},
                                       RuleName{"stores-allocate", &Rules::stores_allocate},
                                       RuleName{"evict-first", &Rules::evict_first},
                                       RuleName{"halves", &Rules::halves},
                                       RuleName{"pairs", &Rules::pairs},
                                       RuleName{"partial-lines", &Rules::partial_lines},
                                       RuleName{"jitter", &Rules::jitter}};

/// Switches the rule `name` off. Errors: Usage, with the names that there are.
Result<void> leave_out(Rules& rules, std::string_view name);

}  // namespace lanescope::caches
