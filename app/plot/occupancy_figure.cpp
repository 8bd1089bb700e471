// Warps that a multiprocessor holds at once, along the size of a block, the registers of a thread and the
// shared memory of a block: a chart each, with the kernel's own value marked. Tests:
// tests/unit/plot/occupancy_figure_test.cpp

#include "base/counted_phrase.h"
#include "model/occupancy.h"
#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

using model::OccupancyCurve;

struct Chart {
  const char* key;  // in tables
  Text name;
  const OccupancyCurve* curve;
  uint64_t now;
  uint64_t unit;  // of a tick's number
};

class OccupancyDrawing {
 public:
  OccupancyDrawing(Sheet& sheet, const model::Occupancy& occupancy, Language language)
      : sheet_(sheet), occupancy_(occupancy), language_(language), small_(sheet.type().small) {}

  void draw(const std::vector<Chart>& charts) {
    const float gap = 1.5f * small_;
    const float width =
        (sheet_.width() - gap * static_cast<float>(charts.size() - 1)) / static_cast<float>(charts.size());
    for (size_t n = 0; n < charts.size(); ++n)
      add_chart(charts[n], {static_cast<float>(n) * (width + gap), 0, width, sheet_.height()});
  }

 private:
  void place(float x, float y, const std::string& text, Role role, Label::Anchor anchor,
             Label::Face face = Label::Face::Regular) {
    sheet_.place({.x = x,
                  .y = y,
                  .text = text,
                  .size = small_,
                  .color = Color::of(role),
                  .anchor = anchor,
                  .face = face});
  }

  void add_chart(const Chart& chart, const Box& box) {
    const float row = 1.35f * small_;
    const float numbers = text_width("64", small_, Label::Face::Regular) + 0.6f * small_;
    const Box plot{box.x + numbers, box.y + 1.8f * row, box.width - numbers - small_,
                   box.height - 4.2f * row};
    if (plot.width < 3 * row || plot.height < 2 * row || chart.curve->at.empty()) return;
    const double last = static_cast<double>(chart.curve->at.back());
    const double most = std::max<double>(1, occupancy_.most_warps);
    const auto x_of = [&](uint64_t value) {
      return plot.x + plot.width * static_cast<float>(std::min(1.0, static_cast<double>(value) / last));
    };
    const auto y_of = [&](uint32_t warps) {
      return plot.bottom() - plot.height * static_cast<float>(static_cast<double>(warps) / most);
    };
    add_value_axis(plot, y_of);
    add_curve(*chart.curve, x_of, y_of);
    add_now(chart, plot, x_of, y_of);
    for (const double share : {0.0, 0.5, 1.0}) {
      const auto value = static_cast<uint64_t>(last * share) / chart.unit;
      place(plot.x + plot.width * static_cast<float>(share), plot.bottom() + 0.8f * row,
            number(language_, value), Role::Dim, Label::Anchor::Middle);
    }
    place(plot.x + plot.width / 2, plot.bottom() + 1.9f * row,
          shorten(say(language_, chart.name), box.width, small_, Label::Face::Regular), Role::Dim,
          Label::Anchor::Middle);
  }

  template <class Y>
  void add_value_axis(const Box& plot, const Y& y_of) {
    for (uint32_t quarter = 0; quarter <= 4; ++quarter) {
      const uint32_t warps = occupancy_.most_warps * quarter / 4;
      const float y = y_of(warps);
      sheet_.add(Line{.x1 = plot.x, .y1 = y, .x2 = plot.right(), .y2 = y, .color = Color::of(Role::Line)});
      place(plot.x - 0.4f * small_, y, fmt::to_string(warps), Role::Dim, Label::Anchor::End);
    }
  }

  /// Steps: a value holds until the next one of the curve.
  template <class X, class Y>
  void add_curve(const OccupancyCurve& curve, const X& x_of, const Y& y_of) {
    const auto add = [&](float x1, float y1, float x2, float y2) {
      sheet_.add(Line{.x1 = x1, .y1 = y1, .x2 = x2, .y2 = y2, .color = Color::of(Role::Accent), .width = 2});
    };
    for (size_t first = 0; first < curve.at.size();) {
      size_t next = first + 1;
      while (next < curve.at.size() && curve.warps[next] == curve.warps[first]) ++next;
      const uint64_t end = curve.at[std::min(next, curve.at.size() - 1)];
      const size_t pick =
          sheet_.add(Pick{.tip = phrase(language_, Text::occupancy_tip, number(language_, curve.at[first]),
                                        number(language_, curve.at[next - 1]), curve.warps[first])});
      const float x1 = x_of(curve.at[first]), x2 = x_of(end), y = y_of(curve.warps[first]);
      sheet_.add(Rect{.x = x1,
                      .y = y - 0.4f * small_,
                      .width = std::max(1.0f, x2 - x1),
                      .height = 0.8f * small_,
                      .pick = pick});
      add(x1, y, x2, y);
      if (next < curve.at.size()) add(x2, y, x2, y_of(curve.warps[next]));
      first = next;
    }
  }

  template <class X, class Y>
  void add_now(const Chart& chart, const Box& plot, const X& x_of, const Y& y_of) {
    const float x = x_of(chart.now), y = y_of(occupancy_.warps);
    sheet_.add(Line{.x1 = x, .y1 = plot.y, .x2 = x, .y2 = plot.bottom(), .color = Color::of(Role::Bad)});
    sheet_.add(Rect{.x = x - 0.35f * small_,
                    .y = y - 0.35f * small_,
                    .width = 0.7f * small_,
                    .height = 0.7f * small_,
                    .radius = 0.35f * small_,
                    .fill = Color::of(Role::Bad)});
    const std::string value = number(language_, chart.now / chart.unit);
    const float half = text_width(value, small_, Label::Face::Strong) / 2;
    place(std::clamp(x, plot.x + half, plot.right() - half), plot.y - 0.8f * 1.35f * small_, value, Role::Bad,
          Label::Anchor::Middle, Label::Face::Strong);
  }

  Sheet& sheet_;
  const model::Occupancy& occupancy_;
  Language language_;
  float small_;
};

std::string explain(const model::Occupancy& occupancy, trace::CountLevel level, Language language) {
  const model::Residency& residency = occupancy.residency;
  std::string text =
      counted_phrase(language, Text::occupancy_explain, residency.per_multiprocessor, occupancy.warps,
                     occupancy.most_warps, limit_name(language, residency.limit, level));
  const auto add = [&](Text what, const std::optional<model::WhatIf>& found, uint64_t difference) {
    if (found)
      text += " " + counted_phrase(language, what, number(language, difference), found->blocks, found->warps);
  };
  if (occupancy.fewer_registers)
    add(Text::occupancy_fewer_registers, occupancy.fewer_registers,
        occupancy.needs.registers_per_thread - occupancy.fewer_registers->value);
  if (occupancy.less_shared)
    add(Text::occupancy_less_shared, occupancy.less_shared,
        occupancy.needs.shared_bytes - occupancy.less_shared->value);
  if (occupancy.other_threads)
    add(Text::occupancy_other_threads, occupancy.other_threads, occupancy.other_threads->value);
  return text;
}

}  // namespace

Figure occupancy_figure(const trace::Trace& trace, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  const model::Occupancy occupancy = model::occupancy_of(trace, device);
  Figure figure = begin_figure("occupancy", Text::figure_occupancy, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::occupancy_warps, device.title);
  figure.source = phrase(language, Text::occupancy_source, device.title);
  std::vector<Chart> charts{
      {"threads", Text::occupancy_threads, &occupancy.by_threads, occupancy.needs.threads, 1}};
  if (!occupancy.by_registers.at.empty())
    charts.push_back({"registers", Text::occupancy_registers, &occupancy.by_registers,
                      occupancy.needs.registers_per_thread, 1});
  charts.push_back({"shared_bytes", Text::occupancy_shared, &occupancy.by_shared_bytes,
                    occupancy.needs.shared_bytes, 1024});
  figure.table = {.columns = {{"need", ""}, {"value", ""}, {"warps", ""}, {"is_now", ""}}, .rows = {}};
  for (const Chart& chart : charts) {
    figure.table.rows.push_back(
        {std::string(chart.key), static_cast<int64_t>(chart.now), int64_t{occupancy.warps}, int64_t{1}});
    for (size_t n = 0; n < chart.curve->at.size(); ++n)
      figure.table.rows.push_back({std::string(chart.key), static_cast<int64_t>(chart.curve->at[n]),
                                   int64_t{chart.curve->warps[n]}, int64_t{0}});
  }
  figure.explanation = explain(occupancy, trace.level, language);
  Sheet sheet(figure, frame);
  OccupancyDrawing(sheet, occupancy, language).draw(charts);
  return figure;
}

}  // namespace lanescope::plot
