#include "plot/chart.h"

#include "plot/legend.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

double maximum_of(const std::vector<Series>& series) {
  double maximum = 0;
  for (const Series& one : series)
    for (const double value : one.values) maximum = std::max(maximum, value);
  return maximum;
}

/// The frame of a chart: where values and positions are drawn.
class Axes {
 public:
  /// `headroom` rows above the highest value, for numbers.
  Axes(Sheet& sheet, const Box& box, const std::vector<std::string>& names, double maximum, float headroom)
      : sheet_(sheet), names_(names), top_(round_up(maximum)) {
    const float row = 1.35f * sheet.type().small;
    float left = 0;
    for (int n = 0; n <= kTicks; ++n)
      left = std::max(left, text_width(tick(n), sheet.type().small, Label::Face::Regular));
    left += 0.8f * sheet.type().small;
    plot_ = {box.x + left, box.y + (1.2f + headroom) * row, box.width - left,
             box.height - (3.4f + headroom) * row};
    legend_y_ = box.y + 0.5f * row;
    row_ = row;
  }

  float y_of(double value) const { return plot_.bottom() - static_cast<float>(value / top_) * plot_.height; }
  float spacing() const { return plot_.width / static_cast<float>(std::max<size_t>(1, names_.size())); }
  float x_of(size_t position) const { return plot_.x + (static_cast<float>(position) + 0.5f) * spacing(); }
  const Box& plot() const { return plot_; }

  void draw(const std::vector<Series>& series, const ChartWords& words) {
    add_grid();
    std::vector<Swatch> swatches;
    for (const Series& one : series) swatches.push_back({one.color, one.name});
    const float legend_end = add_swatches(sheet_, plot_.x, plot_.right(), legend_y_, swatches);
    const float unit = text_width(words.values, sheet_.type().small, Label::Face::Regular);
    if (legend_end + unit + sheet_.type().small < plot_.right())
      place(plot_.right(), legend_y_, words.values, Label::Anchor::End);
    add_names(words.notes);
    place(plot_.x + plot_.width / 2, plot_.bottom() + 1.8f * row_, words.positions, Label::Anchor::Middle);
  }

 private:
  void place(float x, float y, const std::string& text, Label::Anchor anchor) {
    sheet_.place({.x = x,
                  .y = y,
                  .text = text,
                  .size = sheet_.type().small,
                  .color = Color::of(Role::Dim),
                  .anchor = anchor});
  }
  static constexpr int kTicks = 5;
  /// "0.4", "2": of the n-th tick, where the last one is the top.
  std::string tick(int n) const { return fmt::format("{:g}", top_ * n / kTicks); }
  void add_grid() {
    for (int n = 0; n <= kTicks; ++n) {
      const float y = y_of(top_ * n / kTicks);
      sheet_.add(Line{
          .x1 = plot_.x, .y1 = y, .x2 = plot_.right(), .y2 = y, .color = Color::of(Role::Line), .width = 1});
      place(plot_.x - 0.4f * sheet_.type().small, y, tick(n), Label::Anchor::End);
    }
  }
  void add_names(const std::vector<std::string>& notes) {
    // With notes every position counts: names are shortened there, elsewhere some are left out.
    const float gap = 0.6f * sheet_.type().small;
    float widest = 0;
    for (const std::string& text : notes.empty() ? names_ : notes)
      widest = std::max(widest, text_width(text, sheet_.type().small, Label::Face::Regular));
    size_t step = 1;
    while (static_cast<float>(step) * spacing() < widest + gap && step < names_.size()) ++step;
    const float room = static_cast<float>(step) * spacing() - gap;
    for (size_t n = 0; n < names_.size(); n += step) {
      const std::string name = shorten(names_[n], room, sheet_.type().small, Label::Face::Regular);
      place(x_of(n), plot_.bottom() + 0.8f * row_, name, Label::Anchor::Middle);
      if (n < notes.size()) place(x_of(n), plot_.bottom() + 1.8f * row_, notes[n], Label::Anchor::Middle);
    }
  }

  Sheet& sheet_;
  const std::vector<std::string>& names_;
  double top_;
  Box plot_;
  float row_ = 0;
  float legend_y_ = 0;
};

}  // namespace

double round_up(double value) {
  if (!(value > 0)) return 1;
  const double scale = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (value <= step * scale * (1 + 1e-9)) return step * scale;
  return 10 * scale;
}

void add_bar_chart(Sheet& sheet, const Box& box, const std::vector<std::string>& names,
                   const std::vector<Series>& series, const std::vector<std::vector<std::string>>& numbers,
                   const ChartWords& words) {
  Axes axes(sheet, box, names, maximum_of(series), 0.8f);
  axes.draw(series, words);
  const float group = 0.8f * axes.spacing();
  for (size_t n = 0; n < names.size(); ++n) {
    const auto present = [&](const Series& one) { return n < one.values.size() && one.values[n] >= 0; };
    const auto bars = static_cast<float>(std::max<int64_t>(1, std::ranges::count_if(series, present)));
    const float width = group / bars;
    float x = axes.x_of(n) - group / 2 - width;
    for (size_t s = 0; s < series.size(); ++s) {
      if (!present(series[s])) continue;
      const double value = series[s].values[n];
      x += width;
      const float y = axes.y_of(value);
      const std::string number =
          s < numbers.size() && n < numbers[s].size() ? numbers[s][n] : fmt::format("{:g}", value);
      const size_t pick = sheet.add(
          Pick{.tip = fmt::format("{} · {}: {} {}", names[n], series[s].name, number, words.values)});
      sheet.add(Rect{.x = x,
                     .y = y,
                     .width = std::max(1.0f, width - 1),
                     .height = std::max(0.5f, axes.plot().bottom() - y),
                     .fill = series[s].color,
                     .pick = pick});
      float top = y;
      if (n < series[s].ranges.size() && series[s].ranges[n].high > series[s].ranges[n].low) {
        const Series::Range& range = series[s].ranges[n];
        top = std::min(top, axes.y_of(range.high));
        sheet.add(Line{.x1 = x + width / 2,
                       .y1 = axes.y_of(range.low),
                       .x2 = x + width / 2,
                       .y2 = axes.y_of(range.high),
                       .color = Color::of(Role::Ink),
                       .width = 1.5f});
      }
      const float size = sheet.type().small;
      if (text_width(number, size, Label::Face::Regular) < width + 0.2f * axes.spacing())
        sheet.place({.x = x + width / 2,
                     .y = top - 0.7f * size,
                     .text = number,
                     .size = size,
                     .color = Color::of(Role::Ink),
                     .anchor = Label::Anchor::Middle});
    }
  }
}

void add_line_chart(Sheet& sheet, const Box& box, const std::vector<std::string>& names,
                    const std::vector<Series>& series, const ChartWords& words) {
  Axes axes(sheet, box, names, maximum_of(series), 0);
  axes.draw(series, words);
  for (const Series& one : series) {
    for (size_t n = 0; n < one.values.size(); ++n) {
      if (one.values[n] < 0) continue;
      const size_t pick = sheet.add(
          Pick{.tip = fmt::format("{} · {}: {:.3g} {}", names[n], one.name, one.values[n], words.values)});
      const float x = axes.x_of(n), y = axes.y_of(one.values[n]);
      const bool has_next = n + 1 < one.values.size() && one.values[n + 1] >= 0;
      const bool has_previous = n > 0 && one.values[n - 1] >= 0;
      if (!has_next && !has_previous)  // no line shows it
        sheet.add(Rect{
            .x = x - 3, .y = y - 3, .width = 6, .height = 6, .radius = 3, .fill = one.color, .pick = pick});
      if (has_next)
        sheet.add(Line{.x1 = x,
                       .y1 = y,
                       .x2 = axes.x_of(n + 1),
                       .y2 = axes.y_of(one.values[n + 1]),
                       .color = one.color,
                       .width = 1.5f,
                       .pick = pick});
    }
  }
}

}  // namespace lanescope::plot
