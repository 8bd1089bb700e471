#include "plot/access_cost.h"

#include "model/access_filter.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {

Price price_of(const model::TimelineEntry& entry) {
  return {model::cost_of(entry), model::ideal_cost_of(entry), entry.operation.space == trace::Space::Shared};
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

std::string cost_words(Language language, uint64_t amount, bool shared, model::CostUnits units) {
  using enum Text;
  const bool is_old = units == model::CostUnits::Transactions;
  if (shared)
    return counted(language, amount, is_old ? figure_one_pass : figure_one_wavefront,
                   is_old ? figure_many_passes : figure_many_wavefronts);
  return counted(language, amount, is_old ? figure_one_transaction : figure_one_sector,
                 is_old ? figure_many_transactions : figure_many_sectors);
}

std::string cost_name(Language language, const model::TimelineEntry& entry, model::CostUnits units) {
  const Price price = price_of(entry);
  if (!price.is_counted()) return std::string(say(language, Text::figure_no_cost));
  return cost_words(language, price.actual, price.shared, units);
}

std::string cost_text(Language language, const model::TimelineEntry& entry, model::CostUnits units) {
  if (const Price price = price_of(entry); price.shared && units == model::CostUnits::Sectors)
    return phrase(language, Text::figure_wavefronts_short, price.actual);
  return cost_name(language, entry, units);
}

std::string access_tip(Language language, size_t index, const model::TimelineEntry& entry,
                       model::CostUnits units, Costs costs) {
  std::string tip =
      phrase(language, Text::figure_timeline_tip, index + 1, operation_mark(entry.operation),
             operation_sentence(language, entry.operation), phrase(language, Text::figure_line, entry.line),
             counted(language, static_cast<uint64_t>(entry.active.count()), Text::figure_one_active_lane,
                     Text::figure_many_active_lanes));
  if (costs == Costs::Hidden) return tip;
  tip += ", " + cost_name(language, entry, units);
  const Price price = price_of(entry);
  return price.is_counted() ? tip + phrase(language, Text::figure_timeline_ideal, price.ideal) : tip;
}

std::string_view cost_meaning(Language language, const Price& price, model::CostUnits units) {
  const bool is_old = units == model::CostUnits::Transactions;
  if (price.shared) return say(language, is_old ? Text::tip_pass : Text::tip_wavefront);
  return say(language, is_old ? Text::tip_transaction : Text::tip_sector);
}

}  // namespace lanescope::plot
