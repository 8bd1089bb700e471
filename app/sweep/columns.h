// The columns of a sweep's results, by the names that `plot --from --y` takes and that the frame of
// lanescope.read_sweep() has. Tests: tests/unit/sweep/definition_test.cpp, database_test.cpp

#pragma once

#include "trace/totals.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lanescope::sweep {

/// The counts of a kind of access, as the tables `totals` and `combinations` have them.
inline constexpr std::array<std::pair<std::string_view, uint64_t trace::Totals::*>, 8> kCounts{{
    {"requests", &trace::Totals::requests},
    {"lanes", &trace::Totals::lanes},
    {"bytes", &trace::Totals::bytes},
    {"sectors", &trace::Totals::sectors},
    {"ideal_sectors", &trace::Totals::ideal_sectors},
    {"lines", &trace::Totals::lines},
    {"wavefronts", &trace::Totals::wavefronts},
    {"ideal_wavefronts", &trace::Totals::ideal_wavefronts},
}};

/// Whether an axis may not have the name, since a column of results has it.
bool is_column(std::string_view name);

}  // namespace lanescope::sweep
