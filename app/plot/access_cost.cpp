#include "plot/access_cost.h"

#include "plot/wording.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {

Price price_of(const model::TimelineEntry& entry) {
  if (entry.operation.space == trace::Space::Shared)
    return {entry.cost.wavefronts, entry.cost.ideal_wavefronts, true};
  return {entry.cost.sectors, entry.cost.ideal_sectors, false};
}

float excess_of(const model::TimelineEntry& entry) {
  const Price price = price_of(entry);
  if (price.ideal == 0 || price.actual <= price.ideal) return 0;
  const float doublings = std::log2(static_cast<float>(price.actual) / static_cast<float>(price.ideal));
  return std::min(doublings / 5, 1.0f);
}

Color cost_color(const model::TimelineEntry& entry) {
  if (!price_of(entry).is_counted()) return no_cost_color();
  const float excess = excess_of(entry);
  return excess == 0 ? Color::of(Role::Good, 0.3f) : Color::of(Role::Bad, 0.25f + 0.28f * excess);
}

Color no_cost_color() { return Color::of(Role::Dim, 0.25f); }

std::string cost_name(Language language, const model::TimelineEntry& entry, model::CostUnits units) {
  const Price price = price_of(entry);
  if (!price.is_counted()) return std::string(say(language, Text::figure_no_cost));
  const bool is_old = units == model::CostUnits::Transactions;
  if (price.shared)
    return is_old ? counted(language, price.actual, Text::figure_one_pass, Text::figure_many_passes)
                  : counted(language, price.actual, Text::figure_one_wavefront, Text::figure_many_wavefronts);
  return is_old
             ? counted(language, price.actual, Text::figure_one_transaction, Text::figure_many_transactions)
             : counted(language, price.actual, Text::figure_one_sector, Text::figure_many_sectors);
}

std::string cost_text(Language language, const model::TimelineEntry& entry, model::CostUnits units) {
  if (const Price price = price_of(entry); price.shared && units == model::CostUnits::Sectors)
    return phrase(language, Text::figure_wavefronts_short, price.actual);
  return cost_name(language, entry, units);
}

std::string_view cost_meaning(Language language, const Price& price, model::CostUnits units) {
  const bool is_old = units == model::CostUnits::Transactions;
  if (price.shared) return say(language, is_old ? Text::tip_pass : Text::tip_wavefront);
  return say(language, is_old ? Text::tip_transaction : Text::tip_sector);
}

}  // namespace lanescope::plot
