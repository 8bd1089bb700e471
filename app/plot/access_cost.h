// What an access of a warp costs, as a color and in words. Tests: tests/unit/plot/timeline_figure_test.cpp,
// tests/unit/plot/warps_figure_test.cpp

#pragma once

#include "base/text.h"
#include "model/warp_timeline.h"
#include "plot/color.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::plot {

/// What an access costs by its space: wavefronts or passes of shared memory, sectors or transactions of
/// others.
struct Price {
  uint32_t actual = 0, ideal = 0;
  bool shared = false;
  bool is_counted() const { return actual != 0; }  // constant memory has no such cost
};
Price price_of(const model::TimelineEntry& entry);

/// 0 at the ideal, 1 at 32 times the ideal and above.
float excess_of(const model::TimelineEntry& entry);

/// The colors of the ideal and of the excess, as in all figures; the more excess, the stronger.
Color cost_color(const model::TimelineEntry& entry);
/// Of an access that has no cost, or whose cost is not to be told.
Color no_cost_color();

/// "4 sectors", "32 wavefronts", "1 pass": so much of global or of shared memory.
std::string cost_words(Language language, uint64_t amount, bool shared, model::CostUnits units);
/// "4 sectors", "32 wavefronts", "no cost".
std::string cost_name(Language language, const model::TimelineEntry& entry, model::CostUnits units);
/// "32 wf", "4 sectors": for a narrow box.
std::string cost_text(Language language, const model::TimelineEntry& entry, model::CostUnits units);
/// Whether a text says what an access costs, which a class may be asked to predict.
enum class Costs : uint8_t { Told, Hidden };
/// "access 9, LD s: load of 4 bytes from shared memory, line 14, 32 lanes, 32 wavefronts; ideal 1": access
/// `index` of a warp, from 0.
std::string access_tip(Language language, size_t index, const model::TimelineEntry& entry,
                       model::CostUnits units, Costs costs);
/// What the unit of the cost is, in a sentence.
std::string_view cost_meaning(Language language, const Price& price, model::CostUnits units);

}  // namespace lanescope::plot
