#include "sweep/columns.h"

#include <algorithm>

namespace lanescope::sweep {

bool is_column(std::string_view name) {
  constexpr std::array kOthers{"number",
                               "problem",
                               "note",
                               "entry",
                               "launch_grid",
                               "launch_block",
                               "shared_bytes",
                               "launches",
                               "provenance",
                               "output_correct",
                               "warp_instructions",
                               "lane_instructions",
                               "findings",
                               "l1_load_sectors",
                               "l1_load_sectors_hit",
                               "l2_read_sectors",
                               "l2_read_sectors_hit",
                               "dram_read_bytes",
                               "seconds"};
  return std::ranges::find(kOthers, name) != kOthers.end() ||
         std::ranges::any_of(kCounts, [&](const auto& count) { return count.first == name; });
}

}  // namespace lanescope::sweep
