// The accesses of a warp along its steps: a box each with what it does and what it costs, the current one
// outlined. Where not all fit, the boxes around the current one are drawn, and below them a strip of all of
// them with the part that is shown. Tests: tests/unit/plot/timeline_figure_test.cpp, tests/golden/figures

#include "plot/access_cost.h"
#include "plot/cell_grid.h"
#include "plot/figures.h"
#include "plot/heat_map.h"
#include "plot/text_width.h"
#include "plot/wording.h"
#include "trace/traffic.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

Color color_of(const model::TimelineEntry& entry, const TimelineView& view) {
  return view.with_costs ? cost_color(entry) : no_cost_color();
}

class TimelineDrawing {
 public:
  TimelineDrawing(Sheet& sheet, const std::vector<model::TimelineEntry>& entries, const TimelineView& view,
                  Language language)
      : sheet_(sheet), entries_(entries), view_(view), current_(view.current), language_(language) {}

  void draw() {
    if (entries_.empty()) return;
    const float row = 1.3f * type().small;
    const float least = 1.5f * type().text;  // of a box
    float widest = text_width("ST s", type().text, Label::Face::Strong);
    for (const model::TimelineEntry& entry : entries_) {
      widest =
          std::max({widest, text_width(operation_mark(entry.operation), type().text, Label::Face::Strong),
                    text_width(cost_text(entry), type().small, Label::Face::Regular)});
    }
    const float wanted = widest + 0.6f * type().text;
    const auto room = static_cast<size_t>(std::max(1.0f, (sheet_.width() - 2 * kMargin) / wanted));
    const size_t shown = std::min(room, entries_.size());
    const bool with_strip = shown < entries_.size() && sheet_.height() >= least + 0.9f * type().text;
    const float strip = with_strip ? 0.9f * type().text : 0;
    float spare = sheet_.height() - 2 * kMargin - strip - least;
    const bool with_costs = view_.with_costs && spare >= row;
    if (with_costs) spare -= row;
    const bool with_lines = spare >= row;
    if (with_lines) spare -= row;

    const size_t first = first_shown(shown);
    const float width = std::min((sheet_.width() - 2 * kMargin) / static_cast<float>(shown), 1.7f * wanted);
    const float height = std::min(least + spare, 3.2f * type().text);
    // The rest of the height is shared above and below.
    const float used = height + (with_costs ? row : 0) + (with_lines ? row : 0) + strip;
    const float top = std::max(0.0f, (sheet_.height() - 2 * kMargin - used) / 2);
    const Box boxes{kMargin, top + (with_lines ? row : 0) + kMargin, width * static_cast<float>(shown),
                    height};
    add_boxes(boxes, first, shown);
    if (with_costs) add_costs(boxes, first, shown, boxes.bottom() + kMargin + row / 2);
    if (with_lines) add_lines(boxes, first, shown, top + row / 2);
    if (with_strip) {
      add_strip({kMargin, boxes.bottom() + kMargin + (with_costs ? row : 0) + 0.3f * strip,
                 sheet_.width() - 2 * kMargin, 0.6f * strip},
                first, shown);
    }
  }

 private:
  static constexpr float kMargin = 3;  // for the outline of the current box

  const Type& type() const { return sheet_.type(); }

  size_t first_shown(size_t shown) const {
    const size_t before = std::min<size_t>(current_, entries_.size() - 1);
    const size_t half = shown / 2;
    return std::min(before > half ? before - half : 0, entries_.size() - shown);
  }

  std::string cost_text(const model::TimelineEntry& entry) const {
    return plot::cost_text(language_, entry, view_.units);
  }

  /// What the access is, and in a second line what the unit of its cost is.
  std::string tip_of(size_t n) const {
    const Costs costs = view_.with_costs ? Costs::Told : Costs::Hidden;
    const std::string tip = access_tip(language_, n, entries_[n], view_.units, costs);
    const Price price = price_of(entries_[n]);
    if (costs == Costs::Hidden || !price.is_counted()) return tip;
    return tip + "\n" + std::string(cost_meaning(language_, price, view_.units));
  }

  size_t pick_of(size_t n) {
    return sheet_.add(Pick{.tip = tip_of(n), .access = static_cast<uint32_t>(n), .site = entries_[n].site});
  }

  void add_boxes(const Box& box, size_t first, size_t shown) {
    const CellGrid grid{.box = box,
                        .rows = 1,
                        .columns = static_cast<uint32_t>(shown),
                        .gap = std::min(3.0f, box.height / 8)};
    for (size_t n = 0; n < shown; ++n) {
      const model::TimelineEntry& entry = entries_[first + n];
      Box cell = grid.cell(0, static_cast<uint32_t>(n));
      cell.y = box.y;
      cell.height = box.height;
      const Color fill = color_of(entry, view_);
      sheet_.add(Rect{.x = cell.x,
                      .y = cell.y,
                      .width = cell.width,
                      .height = cell.height,
                      .radius = std::min(5.0f, cell.height / 5),
                      .fill = fill,
                      .pick = pick_of(first + n)});
      if (first + n == current_) outline(cell);
      const std::string mark = operation_mark(entry.operation);
      const float size =
          fitting_size(mark, cell.width, cell.height, type().least, 1.15f * type().text, Label::Face::Strong);
      if (size > 0) sheet_.inscribe(mark, cell, size, Color::on(fill), Label::Face::Strong);
    }
  }

  void outline(const Box& cell) {
    sheet_.add(Rect{.x = cell.x + 1.5f,
                    .y = cell.y + 1.5f,
                    .width = cell.width - 3,
                    .height = cell.height - 3,
                    .radius = 3,
                    .stroke = Color::of(Role::Surface),
                    .stroke_width = 1.5f});
    sheet_.add(Rect{.x = cell.x - 0.5f,
                    .y = cell.y - 0.5f,
                    .width = cell.width + 1,
                    .height = cell.height + 1,
                    .radius = std::min(5.5f, cell.height / 5),
                    .stroke = Color::of(Role::Accent),
                    .stroke_width = 3});
  }

  void add_costs(const Box& box, size_t first, size_t shown, float y) {
    const float width = box.width / static_cast<float>(shown);
    for (size_t n = 0; n < shown; ++n) {
      const model::TimelineEntry& entry = entries_[first + n];
      const Price price = price_of(entry);
      if (!price.is_counted()) continue;
      const bool here = first + n == current_;
      sheet_.place({.x = box.x + (static_cast<float>(n) + 0.5f) * width,
                    .y = y,
                    .text = cost_text(entry),
                    .size = type().small,
                    .color = Color::of(price.actual > price.ideal ? Role::Bad
                                       : here                     ? Role::Ink
                                                                  : Role::Dim),
                    .anchor = Label::Anchor::Middle});
    }
  }

  /// The source line above the first box of each stretch that comes from it.
  void add_lines(const Box& box, size_t first, size_t shown, float y) {
    const float width = box.width / static_cast<float>(shown);
    for (size_t n = 0; n < shown; ++n) {
      const int line = entries_[first + n].line;
      if (line <= 0 || (n > 0 && entries_[first + n - 1].line == line)) continue;
      sheet_.place({.x = box.x + static_cast<float>(n) * width + 1.5f,
                    .y = y,
                    .text = phrase(language_, Text::figure_line, line),
                    .size = type().small,
                    .color = Color::of(Role::Dim)});
    }
  }

  void add_strip(const Box& box, size_t first, size_t shown) {
    // No more columns than can be distinguished; each shows the most expensive of its accesses.
    const auto columns = std::min(entries_.size(), static_cast<size_t>(std::max(1.0f, box.width / 2)));
    const float width = box.width / static_cast<float>(columns);
    const float per_entry = box.width / static_cast<float>(entries_.size());
    for (size_t column = 0; column < columns; ++column) {
      const size_t begin = column * entries_.size() / columns;
      const size_t end = (column + 1) * entries_.size() / columns;
      size_t dearest = begin;
      for (size_t n = begin; n < end; ++n) {
        if (excess_of(entries_[n]) > excess_of(entries_[dearest])) dearest = n;
      }
      sheet_.add(Rect{.x = box.x + static_cast<float>(column) * width,
                      .y = box.y,
                      .width = width,
                      .height = box.height,
                      .fill = color_of(entries_[dearest], view_),
                      .pick = pick_of(dearest)});
    }
    sheet_.add(Rect{.x = box.x + static_cast<float>(first) * per_entry,
                    .y = box.y - 1.5f,
                    .width = per_entry * static_cast<float>(shown),
                    .height = box.height + 3,
                    .radius = 2,
                    .stroke = Color::of(Role::Accent),
                    .stroke_width = 2});
  }

  Sheet& sheet_;
  const std::vector<model::TimelineEntry>& entries_;
  TimelineView view_;
  size_t current_;
  Language language_;
};

Table table_of(const std::vector<model::TimelineEntry>& entries) {
  Table table{.columns = {{"access", ""},
                          {"line", ""},
                          {"space", ""},
                          {"kind", ""},
                          {"bytes_per_lane", "B"},
                          {"sectors", ""},
                          {"ideal_sectors", ""},
                          {"lines", ""},
                          {"wavefronts", ""},
                          {"ideal_wavefronts", ""}},
              .rows = {}};
  int64_t n = 0;
  for (const model::TimelineEntry& entry : entries) {
    table.rows.push_back({n++, int64_t{entry.line}, std::string(trace::name_of(entry.operation.space)),
                          std::string(trace::name_of(trace::traffic_of(entry.operation))),
                          int64_t{entry.operation.bytes_per_lane}, int64_t{entry.cost.sectors},
                          int64_t{entry.cost.ideal_sectors}, int64_t{entry.cost.lines},
                          int64_t{entry.cost.wavefronts}, int64_t{entry.cost.ideal_wavefronts}});
  }
  return table;
}

}  // namespace

Figure timeline_figure(const std::vector<model::TimelineEntry>& entries, const TimelineView& view,
                       Provenance provenance, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("timeline", Text::figure_timeline, provenance, frame);
  if (!entries.empty()) {
    figure.subtitle = phrase(language, Text::figure_timeline_place,
                             std::min<size_t>(view.current + 1, entries.size()), entries.size());
  }
  figure.source = say(language, Text::figure_timeline_source);
  figure.table = table_of(entries);
  Sheet sheet(figure, frame);
  TimelineDrawing(sheet, entries, view, language).draw();
  return figure;
}

}  // namespace lanescope::plot
