// All warps of a block: a row for each warp, a column for each event in its order, barriers as lines through
// the warps that meet there. Where columns are narrower than two points, the costliest access of those that
// share the place is drawn. Tests: tests/unit/plot/warps_figure_test.cpp, tests/golden/figures

#include "plot/access_cost.h"
#include "plot/cell_grid.h"
#include "plot/figures.h"
#include "plot/legend.h"
#include "plot/map_part.h"
#include "plot/text_width.h"
#include "plot/wording.h"
#include "trace/traffic.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

using Event = model::BlockTimeline::Event;
using trace::Wait;

constexpr float kNarrowest = 2;     // of a column that is drawn by itself, in points
constexpr float kHighestRow = 4;    // of the ordinary text
constexpr float kWidestColumn = 5;  // of the ordinary text

Color wait_color(Wait::Kind kind) {
  return kind == Wait::Kind::Barrier ? Color::of(Role::Ink, 0.75f) : Color::of(Role::Accent, 0.7f);
}

/// Of a warp that waits at a barrier for the others.
Color idle_color() { return Color::of(Role::Ink, 0.18f); }

/// The colors without costs are those of a prediction that is not revealed yet.
class WarpsDrawing {
 public:
  WarpsDrawing(Sheet& sheet, const model::BlockTimeline& timeline, const WarpsView& view, const Frame& frame)
      : sheet_(sheet),
        timeline_(timeline),
        view_(view),
        language_(frame.language),
        shown_(shown_cells(frame.part.x, frame.part.zoom, std::max(timeline.columns, 1u))) {}

  CellRange shown() const { return shown_; }

  std::vector<ZoomArea> draw() {
    const auto warps = static_cast<uint32_t>(timeline_.events.size());
    if (warps == 0 || timeline_.columns == 0) return {};
    const Type& type = sheet_.type();
    const float legend = sheet_.height() > 8 * type.text ? 1.6f * type.small : 0;
    const float names =
        text_width(fmt::format("W{}", warps - 1), type.small, Label::Face::Strong) + 0.6f * type.small;
    constexpr float kMargin = 3;  // for the outline of the selected access
    const auto columns = static_cast<float>(shown_.count);
    Box box{names, kMargin, sheet_.width() - names - kMargin, sheet_.height() - legend - 2 * kMargin};
    if (box.width <= 0 || box.height <= 0) return {};
    box.height = std::min(box.height, kHighestRow * type.text * static_cast<float>(warps));
    box.width = std::min(box.width, kWidestColumn * type.text * columns);
    box_ = box;
    row_ = box.height / static_cast<float>(warps);
    column_ = box.width / columns;
    count_meetings();
    for (uint32_t warp = 0; warp < warps; ++warp) {
      add_rest(warp);
      if (column_ >= kNarrowest) {
        add_events(warp);
      } else {
        add_costliest(warp);
      }
    }
    add_selection();
    add_names(names - 0.4f * type.small);
    if (legend > 0) add_legend(names, box.bottom() + kMargin + legend / 2);
    return {zoom_area(box_, timeline_.columns, 1)};
  }

 private:
  float left_of(uint32_t column) const {
    return box_.x + static_cast<float>(column - shown_.first) * column_;
  }
  /// The cell of an event, with a gap where there is room for one.
  Box cell_of(uint32_t warp, uint32_t column) const {
    const float gap_x = std::min(2.0f, column_ / 8), gap_y = std::min(2.0f, row_ / 6);
    return {left_of(column) + gap_x / 2, box_.y + static_cast<float>(warp) * row_ + gap_y / 2,
            column_ - gap_x, row_ - gap_y};
  }

  void count_meetings() {
    warps_at_.assign(timeline_.meetings, 0);
    for (const std::vector<Event>& events : timeline_.events)
      for (const Event& event : events)
        if (event.wait == Wait::Kind::Barrier) ++warps_at_[event.meeting];
  }

  /// A line after the warp's last event, so that a short row can be followed to its name.
  void add_rest(uint32_t warp) {
    const std::vector<Event>& events = timeline_.events[warp];
    const uint32_t end = events.empty() ? 0 : events.back().column + 1;
    if (end >= shown_.end()) return;
    const float left = left_of(std::max(end, shown_.first)) + std::min(2.0f, column_ / 8);
    sheet_.add(Rect{.x = left,
                    .y = box_.y + (static_cast<float>(warp) + 0.5f) * row_ - 0.25f,
                    .width = box_.right() - left,
                    .height = 0.5f,
                    .fill = Color::of(Role::Line)});
  }

  std::string line_text(int line) const {
    return line > 0 ? ", " + phrase(language_, Text::figure_line, line) : "";
  }

  std::string what(uint32_t warp, const Event& event) const {
    if (!event.wait)
      return access_tip(language_, event.access, timeline_.accesses[warp][event.access], timeline_.units,
                        view_.with_costs ? Costs::Told : Costs::Hidden);
    switch (*event.wait) {
      case Wait::Kind::Barrier:
        return phrase(language_, Text::figure_wait_barrier, event.meeting + 1, timeline_.meetings,
                      warps_at_[event.meeting]) +
               line_text(event.line);
      case Wait::Kind::Copies:
        return std::string(say(language_, Text::figure_wait_copies)) + line_text(event.line);
      case Wait::Kind::Phase:
        return std::string(say(language_, Text::figure_wait_phase)) + line_text(event.line);
      case Wait::Kind::Cluster:
        break;
    }
    return std::string(say(language_, Text::figure_wait_cluster)) + line_text(event.line);
  }

  size_t pick_of(uint32_t warp, const Event& event) {
    Pick pick{.tip = phrase(language_, Text::figure_warps_tip, warp, what(warp, event)),
              .warp = WarpId{warp}};
    if (!event.wait) {
      pick.access = event.access;
      pick.site = timeline_.accesses[warp][event.access].site;
    }
    return sheet_.add(std::move(pick));
  }

  Color color_of(uint32_t warp, const Event& event) const {
    if (event.wait) return wait_color(*event.wait);
    return view_.with_costs ? cost_color(timeline_.accesses[warp][event.access]) : no_cost_color();
  }

  void add_events(uint32_t warp) {
    uint32_t next = 0;  // column after the event before
    for (const Event& event : timeline_.events[warp]) {
      const bool is_barrier = event.wait == Wait::Kind::Barrier;
      if (is_barrier) add_idle(warp, next, event.column);
      next = event.column + 1;
      if (!shown_.holds(event.column)) continue;
      const Box cell = cell_of(warp, event.column);
      const size_t pick = pick_of(warp, event);
      if (event.wait) {
        add_wait(warp, event, pick);
        continue;
      }
      const Color fill = color_of(warp, event);
      add_cell(sheet_, cell, fill, pick);
      const std::string mark = operation_mark(timeline_.accesses[warp][event.access].operation);
      const Type& type = sheet_.type();
      const float size = fitting_size(mark, cell.width, cell.height, type.least, type.text);
      if (size > 0) sheet_.inscribe(mark, cell, size, Color::on(fill));
    }
  }

  /// A bar in the middle of the column, as high as the row, so that those of warps that meet are one line.
  void add_wait(uint32_t warp, const Event& event, size_t pick) {
    const bool is_barrier = event.wait == Wait::Kind::Barrier;
    const float width = std::clamp(0.3f * column_, 1.0f, 5.0f);
    const float top = box_.y + static_cast<float>(warp) * row_;
    const float inset = is_barrier ? 0 : 0.2f * row_;
    sheet_.add(Rect{.x = left_of(event.column) + (column_ - width) / 2,
                    .y = top + inset,
                    .width = width,
                    .height = row_ - 2 * inset,
                    .fill = wait_color(*event.wait)});
    // The whole column is easier to point at than the bar.
    sheet_.add(Rect{.x = left_of(event.column), .y = top, .width = column_, .height = row_, .pick = pick});
  }

  /// A warp that is at a barrier before the others has nothing in these columns.
  void add_idle(uint32_t warp, uint32_t from, uint32_t to) {
    const uint32_t first = std::max(from, shown_.first), end = std::min(to, shown_.end());
    if (first >= end) return;
    const float height = std::clamp(0.22f * row_, 1.0f, 4.0f);
    sheet_.add(Rect{.x = left_of(first),
                    .y = box_.y + (static_cast<float>(warp) + 0.5f) * row_ - height / 2,
                    .width = static_cast<float>(end - first) * column_ + column_ / 2,
                    .height = height,
                    .fill = idle_color()});
    has_idle_ = true;
  }

  /// Of the events that share a place: the costliest access, or a barrier.
  void add_costliest(uint32_t warp) {
    const auto places = static_cast<uint32_t>(std::max(1.0f, box_.width / kNarrowest));
    std::vector<const Event*> shown(places, nullptr);
    const auto rank = [&](const Event& event) {
      if (event.wait) return event.wait == Wait::Kind::Barrier ? 2.0f : -1.0f;
      return excess_of(timeline_.accesses[warp][event.access]);
    };
    for (const Event& event : timeline_.events[warp]) {
      if (!shown_.holds(event.column)) continue;
      const auto place = static_cast<size_t>(uint64_t{event.column - shown_.first} * places / shown_.count);
      const Event*& kept = shown[place];
      if (kept == nullptr || rank(event) > rank(*kept)) kept = &event;
    }
    const float width = box_.width / static_cast<float>(places);
    const float gap = std::min(2.0f, row_ / 6);
    for (uint32_t place = 0; place < places; ++place) {
      if (shown[place] == nullptr) continue;
      const bool is_barrier = shown[place]->wait == Wait::Kind::Barrier;
      sheet_.add(Rect{.x = box_.x + static_cast<float>(place) * width,
                      .y = box_.y + static_cast<float>(warp) * row_ + (is_barrier ? 0 : gap / 2),
                      .width = width,
                      .height = is_barrier ? row_ : row_ - gap,
                      .fill = color_of(warp, *shown[place]),
                      .pick = pick_of(warp, *shown[place])});
    }
  }

  void add_selection() {
    const uint32_t warp = view_.warp.value;
    if (warp >= timeline_.events.size()) return;
    for (const Event& event : timeline_.events[warp]) {
      if (event.wait || event.access != view_.access || !shown_.holds(event.column)) continue;
      Box cell = cell_of(warp, event.column);
      const float width = std::max(cell.width, 3.0f);
      cell.x -= (width - cell.width) / 2;
      sheet_.add(Rect{.x = cell.x - 0.5f,
                      .y = cell.y - 0.5f,
                      .width = width + 1,
                      .height = cell.height + 1,
                      .radius = corner_of(cell),
                      .stroke = Color::of(Role::Accent),
                      .stroke_width = 2.5f});
      return;
    }
  }

  /// As many names as rows have room for; the selected warp's always.
  void add_names(float right) {
    const Type& type = sheet_.type();
    const auto name = [&](uint32_t warp, bool is_selected) {
      sheet_.place({.x = right,
                    .y = box_.y + (static_cast<float>(warp) + 0.5f) * row_,
                    .text = fmt::format("W{}", warp),
                    .size = type.small,
                    .color = Color::of(is_selected ? Role::Accent : Role::Dim),
                    .anchor = Label::Anchor::End,
                    .face = is_selected ? Label::Face::Strong : Label::Face::Regular});
    };
    const auto warps = static_cast<uint32_t>(timeline_.events.size());
    if (view_.warp.value < warps) name(view_.warp.value, true);
    for (uint32_t warp = 0; warp < warps; ++warp)
      if (warp != view_.warp.value) name(warp, false);
  }

  void add_legend(float left, float y) {
    std::vector<Swatch> swatches;
    if (view_.with_costs) {
      swatches.push_back({Color::of(Role::Good, 0.3f), std::string(say(language_, Text::figure_ideal))});
      swatches.push_back({Color::of(Role::Bad, 0.53f), std::string(say(language_, Text::figure_excess))});
    }
    bool has_other = false;
    for (const std::vector<Event>& events : timeline_.events)
      has_other = has_other || std::ranges::any_of(events, [](const Event& event) {
                    return event.wait && event.wait != Wait::Kind::Barrier;
                  });
    if (timeline_.meetings > 0) {
      swatches.push_back(
          {wait_color(Wait::Kind::Barrier), std::string(say(language_, Text::figure_legend_barrier))});
      if (has_idle_)
        swatches.push_back({idle_color(), std::string(say(language_, Text::figure_legend_idle))});
    }
    if (has_other)
      swatches.push_back(
          {wait_color(Wait::Kind::Copies), std::string(say(language_, Text::figure_legend_wait))});
    add_swatches(sheet_, left, sheet_.width(), y, swatches);
  }

  Sheet& sheet_;
  const model::BlockTimeline& timeline_;
  WarpsView view_;
  Language language_;
  CellRange shown_;  // columns
  Box box_;
  float row_ = 0, column_ = 0;
  bool has_idle_ = false;
  std::vector<uint32_t> warps_at_;  // [meeting]
};

/// Without costs the table, which is exported, has none either.
Table table_of(const model::BlockTimeline& timeline) {
  Table table{.columns = {{"warp", ""},
                          {"column", ""},
                          {"event", ""},
                          {"line", ""},
                          {"lanes", ""},
                          {"space", ""},
                          {"cost", ""},
                          {"ideal_cost", ""}},
              .rows = {}};
  for (size_t warp = 0; warp < timeline.events.size(); ++warp)
    for (const Event& event : timeline.events[warp]) {
      const bool is_access = !event.wait;
      const model::TimelineEntry none{};
      const model::TimelineEntry& access = is_access ? timeline.accesses[warp][event.access] : none;
      const Price price = is_access ? price_of(access) : Price{};
      table.rows.push_back({static_cast<int64_t>(warp), int64_t{event.column},
                            std::string(is_access ? trace::name_of(trace::traffic_of(access.operation))
                                                  : name_of(*event.wait)),
                            int64_t{event.line}, int64_t{event.lanes.count()},
                            std::string(is_access ? trace::name_of(access.operation.space) : ""),
                            int64_t{price.actual}, int64_t{price.ideal}});
    }
  return table;
}

std::string explain(const model::BlockTimeline& timeline, Language language) {
  size_t accesses = 0, most = 0, fewest = 0;  // the last two: warps
  for (size_t warp = 0; warp < timeline.accesses.size(); ++warp) {
    const auto count = [&](size_t w) { return timeline.accesses[w].size(); };
    accesses += count(warp);
    if (count(warp) > count(most)) most = warp;
    if (count(warp) < count(fewest)) fewest = warp;
  }
  if (accesses == 0) return {};
  std::string text = !timeline.knows_waits ? std::string(say(language, Text::figure_warps_no_waits))
                     : timeline.meetings == 0
                         ? phrase(language, Text::figure_warps_without_barrier, number(language, accesses))
                         : phrase(language, Text::figure_warps_explained, number(language, accesses),
                                  counted(language, timeline.meetings, Text::figure_one_barrier,
                                          Text::figure_many_barriers));
  if (timeline.accesses[most].size() != timeline.accesses[fewest].size())
    text += " " + phrase(language, Text::figure_warps_uneven, most, timeline.accesses[most].size(), fewest,
                         timeline.accesses[fewest].size());
  return text;
}

}  // namespace

Figure warps_figure(const trace::Trace& trace, const model::BlockTimeline& timeline, const WarpsView& view,
                    const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("warps", Text::figure_warps, trace.provenance, frame);
  figure.source = phrase(language, Text::figure_warps_source, trace.kernel);
  if (!timeline.knows_waits) figure.source += " " + std::string(say(language, Text::figure_warps_no_waits));
  figure.explanation = explain(timeline, language);
  figure.table = table_of(timeline);
  Sheet sheet(figure, frame);
  WarpsDrawing drawing(sheet, timeline, view, frame);
  figure.zoom_areas = drawing.draw();
  const std::string block = block_name(timeline.cta, trace.grid);
  const CellRange shown = drawing.shown();
  figure.subtitle =
      shown.count < timeline.columns
          ? phrase(language, Text::figure_warps_zoomed, block, shown.first + 1, shown.end(), timeline.columns)
          : phrase(language, Text::figure_warps_place, block, timeline.events.size());
  return figure;
}

}  // namespace lanescope::plot
