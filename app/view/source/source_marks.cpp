#include "view/source/source_marks.h"

#include "plot/wording.h"
#include "session/failed_run.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

std::string average(Language language, uint64_t amount, uint64_t requests) {
  const double value = static_cast<double>(amount) / static_cast<double>(requests);
  return value >= 100 ? fmt::format("{:.0f}", value) : decimal(language, value);
}

/// Where the sectors came from that the line loads, by the modelled caches.
void add_levels(const Context& context, const caches::SiteCaches& cost, Price& price) {
  const uint64_t sectors = cost.l1.sectors;
  if (sectors == 0) return;
  const std::array parts{cost.l1.hits, cost.from_l2, cost.from_dram};
  for (size_t n = 0; n < parts.size(); ++n)
    price.levels[n] = static_cast<float>(parts[n]) / static_cast<float>(sectors);
  price.tip += "\n" + context.phrase(Text::window_line_caches, sectors, parts[0], parts[1], parts[2]);
}

Price price_of(const Context& context, const pipeline::LineCost& cost) {
  Price price;
  const auto add = [&](const trace::Totals& totals, uint64_t amount, uint64_t ideal, Text one, Text many,
                       Text tip, Text word) {
    if (totals.requests == 0) return;
    if (!price.text.empty()) price.text += " · ", price.tip += '\n';
    price.text += context.phrase(amount == totals.requests ? one : many,
                                 average(context.language(), amount, totals.requests));
    price.tip += context.phrase(tip, totals.requests, amount, ideal);
    price.tip += "\n" + std::string(context.text(word));
    price.excess |= amount > ideal;
  };
  if (pipeline::units_of(*context.now.run) == model::CostUnits::Transactions) {
    add(cost.shared, cost.shared.wavefronts, cost.shared.ideal_wavefronts, Text::figure_one_pass,
        Text::figure_many_passes, Text::window_line_passes, Text::tip_pass);
    add(cost.global, cost.global.sectors, cost.global.ideal_sectors, Text::figure_transactions_short,
        Text::figure_transactions_short, Text::window_line_transactions, Text::tip_transaction);
    return price;
  }
  add(cost.shared, cost.shared.wavefronts, cost.shared.ideal_wavefronts, Text::figure_wavefronts_short,
      Text::figure_wavefronts_short, Text::window_line_wavefronts, Text::tip_wavefront);
  add(cost.global, cost.global.sectors, cost.global.ideal_sectors, Text::figure_one_sector,
      Text::figure_many_sectors, Text::window_line_sectors, Text::tip_sector);
  add_levels(context, cost.caches, price);
  return price;
}

/// The line of `name` that a site of the run comes from; 0 for another file.
int line_of(const Context& context, SiteId site, const std::string& name) {
  const trace::Trace& trace = *context.now.run->trace;
  if (site.value >= trace.sites.size()) return 0;
  const Location& where = trace.sites[site.value].source;
  const bool is_here = where.file.empty() || file_name(where.file) == file_name(name);
  return is_here ? where.line : 0;
}

}  // namespace

std::vector<Price> prices_of(const Context& context) {
  std::vector<Price> prices;
  if (!context.now.run) return prices;
  for (const pipeline::LineCost& cost : context.now.run->lines) prices.push_back(price_of(context, cost));
  return prices;
}

float price_width(const Theme& theme, const std::vector<Price>& prices) {
  float width = theme.em(2.5f);
  for (const Price& price : prices)
    if (!price.text.empty()) width = std::max(width, text_width(theme, Face::Strong, kSmallText, price.text));
  return width + theme.space(Space::Medium);
}

namespace {

/// A bar below the price: from the L1, from the L2, from the DRAM.
void draw_levels(const Theme& theme, ImDrawList& list, ImVec2 right_middle,
                 const std::array<float, 3>& levels) {
  const float width = theme.em(2.5f), top = right_middle.y + 0.62f * theme.em(kSmallText);
  float from = right_middle.x - width;
  for (size_t n = 0; n < levels.size(); ++n) {
    const float to = from + levels[n] * width;
    if (levels[n] > 0)
      list.AddRectFilled({from, top}, {to, top + 3 * theme.scale},
                         theme.color(plot::color_of_level(static_cast<caches::CacheLevel>(n))));
    from = to;
  }
}

}  // namespace

void draw_price(const Theme& theme, ImDrawList& list, ImVec2 right_middle, const Price& price) {
  if (price.text.empty()) return;
  const TextStyle style{price.excess ? Face::Strong : Face::Regular, kSmallText,
                        Color::of(price.excess ? Role::Bad : Role::Dim)};
  draw_text(theme, list,
            {right_middle.x - text_width(theme, style.face, style.relative, price.text), right_middle.y},
            style, price.text);
  draw_levels(theme, list, right_middle, price.levels);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const session::FailedRun* failed_text(const session::Snapshot& now) {
  if (!now.failed || now.failed->source_text.empty()) return nullptr;
  const bool is_of_run = now.run && now.run->source_text == now.failed->source_text;
  return is_of_run && now.failed->errors.empty() ? nullptr : now.failed.get();
}

SourceMarks marks_of(const Context& context, const std::string& name, bool is_main,
                     const std::vector<Price>& prices) {
  SourceMarks marks;
  const session::Snapshot& now = context.now;
  if (now.failed)
    for (const compile::LogError& error : now.failed->errors)
      if (file_name(error.file) == file_name(name)) marks.errors.emplace(error.line, error.message);
  const bool is_of_run = now.run && failed_text(now) == nullptr;
  if (!is_of_run) {
    if (!marks.errors.empty()) marks.current = marks.errors.begin()->first;
    return marks;
  }
  if (is_main && !context.prediction.covers(PanelId::Source)) marks.prices = &prices;
  if (now.selection.current)
    marks.current = line_of(context, now.selection.current->traced.access.site, name);
  if (context.highlight.site) marks.hinted = line_of(context, *context.highlight.site, name);
  for (const trace::Hazard& hazard : now.run->trace->hazards)
    if (hazard.where.line > 0 &&
        (hazard.where.file.empty() || file_name(hazard.where.file) == file_name(name)))
      marks.hazards.emplace(hazard.where.line, trace::sentence_of(hazard));
  return marks;
}

}  // namespace lanescope::view
