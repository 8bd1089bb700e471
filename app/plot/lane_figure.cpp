// The active lanes of a warp over its steps: a column for each step, a row for each lane, in the lane's color
// where it is active. Where not all steps fit, those around the current one are drawn.
// Tests: tests/unit/plot/lane_figure_test.cpp, tests/golden/figures

#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/heat_map.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

double mean_of(const LaneSteps& steps) {
  uint64_t lanes = 0;
  for (const LaneStep& step : steps.steps) lanes += static_cast<uint64_t>(step.active.count());
  return static_cast<double>(lanes) / static_cast<double>(std::max<size_t>(steps.steps.size(), 1));
}

class LaneDrawing {
 public:
  LaneDrawing(Sheet& sheet, const LaneSteps& steps, Language language)
      : sheet_(sheet), steps_(steps), language_(language), row_(1.35f * sheet.type().small) {}

  void draw() {
    if (steps_.steps.empty()) return;
    const float size = sheet_.type().small;
    const std::string_view word = say(language_, Text::figure_lane);
    const float left = text_width(word, size, Label::Face::Regular) + 0.6f * size;
    const float width = sheet_.width() - left - 1;
    const float height = sheet_.height() - row_;
    if (width < 4 * size || height < kLanes) return;
    choose_columns(width);
    const float column = std::min(width / static_cast<float>(shown_), 4 * sheet_.type().text);
    const Box box{left, 0, column * static_cast<float>(shown_), std::min(height, 56 * size)};
    add_cells(box);
    add_lanes(box, left);
    add_columns(box);
    add_axis_title(sheet_, std::string(word), box.x, box.bottom() + row_ / 2 + 1);
    add_ticks_along(sheet_, {.count = shown_, .start = box.x, .spacing = column, .first = first_ + 1},
                    box.bottom() + row_ / 2 + 1);
    add_ticks_down(sheet_, {.count = kLanes, .start = box.y, .spacing = box.height / kLanes},
                   box.x - 0.5f * size);
  }

 private:
  static constexpr float kLeastColumn = 5;  // points

  /// Those around the current step, if not all have room.
  void choose_columns(float width) {
    const auto count = static_cast<uint32_t>(steps_.steps.size());
    shown_ = std::min(count, static_cast<uint32_t>(width / kLeastColumn));
    const uint32_t before = std::min(steps_.current, count - 1);
    first_ = std::min(before > shown_ / 2 ? before - shown_ / 2 : 0, count - shown_);
  }

  void add_cells(const Box& box) {
    Cells cells{.x = box.x,
                .y = box.y,
                .width = box.width,
                .height = box.height,
                .rows = kLanes,
                .columns = shown_,
                .value = std::vector<uint32_t>(size_t{kLanes} * shown_),
                .maximum = kLanes};
    for (uint32_t n = 0; n < shown_; ++n)
      for_each_lane(steps_.steps[first_ + n].active, [&](int lane) {
        cells.value[static_cast<size_t>(lane) * shown_ + n] = static_cast<uint32_t>(lane) + 1;
      });
    sheet_.add(std::move(cells));
    sheet_.add(Rect{
        .x = box.x, .y = box.y, .width = box.width, .height = box.height, .stroke = Color::of(Role::Line)});
  }

  /// A row for each lane, with its number: what pinning and hovering a lane mark.
  void add_lanes(const Box& box, float left) {
    const float height = box.height / kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      const size_t pick = sheet_.add(
          Pick{.tip = phrase(language_, Text::figure_one_lane, lane), .lanes = LaneMask{1u << lane}});
      add_hit_area(sheet_,
                   {box.x - left, box.y + static_cast<float>(lane) * height, box.width + left, height}, pick);
    }
  }

  void add_columns(const Box& box) {
    const bool accesses = steps_.kind == LaneSteps::Kind::Accesses;
    const float width = box.width / static_cast<float>(shown_);
    for (uint32_t n = 0; n < shown_; ++n) {
      const uint32_t index = first_ + n;
      const LaneStep& step = steps_.steps[index];
      const std::string name = phrase(
          language_, accesses ? Text::figure_lanes_access : Text::figure_lanes_of_instruction, index + 1);
      const std::string text =
          step.line > 0 ? phrase(language_, Text::figure_line, step.line) + ", " + step.text : step.text;
      Pick pick{.tip = phrase(language_, Text::figure_lanes_tip, name, text, step.active.count(),
                              steps_.warp.count(), lanes_name(language_, step.active))};
      (accesses ? pick.access : pick.instruction) = index;
      const Box column{box.x + static_cast<float>(n) * width, box.y, width, box.height};
      add_hit_area(sheet_, column, sheet_.add(std::move(pick)));
      if (index != steps_.current) continue;
      sheet_.add(Rect{.x = column.x - 1,
                      .y = column.y,
                      .width = column.width + 2,
                      .height = column.height,
                      .radius = 2,
                      .stroke = Color::of(Role::Accent),
                      .stroke_width = 2.5f});
    }
  }

  Sheet& sheet_;
  const LaneSteps& steps_;
  Language language_;
  float row_;
  uint32_t first_ = 0, shown_ = 0;  // steps in sight
};

Table table_of(const LaneSteps& steps) {
  Table table{.columns = {{"step", ""}, {"line", ""}, {"lanes", ""}, {"lane_mask", ""}, {"text", ""}},
              .rows = {}};
  int64_t n = 0;
  for (const LaneStep& step : steps.steps)
    table.rows.push_back({n++, int64_t{step.line}, int64_t{step.active.count()},
                          fmt::format("0x{:08x}", step.active.bits), step.text});
  return table;
}

std::string explain(const LaneSteps& steps, Language language) {
  const auto partial =
      std::ranges::count_if(steps.steps, [&](const LaneStep& step) { return step.active != steps.warp; });
  if (partial == 0) return phrase(language, Text::figure_lanes_all, number(language, steps.steps.size()));
  return phrase(language, Text::figure_lanes_some, number(language, static_cast<uint64_t>(partial)),
                number(language, steps.steps.size()), decimal(language, mean_of(steps)), steps.warp.count());
}

}  // namespace

LaneMask lanes_of_warp(const trace::Trace& trace, WarpId warp) {
  const uint64_t threads = volume(trace.block), before = uint64_t{warp.value} * kLanes;
  if (before + kLanes <= threads) return kAllLanes;
  return before >= threads ? LaneMask{} : LaneMask{(1u << (threads - before)) - 1};
}

LaneSteps lane_steps(const std::vector<model::TimelineEntry>& entries, uint32_t current, LaneMask warp) {
  LaneSteps steps{.kind = LaneSteps::Kind::Accesses, .steps = {}, .current = current, .warp = warp};
  for (const model::TimelineEntry& entry : entries)
    steps.steps.push_back({entry.active, entry.line, operation_name(entry.operation)});
  return steps;
}

Figure lane_figure(const LaneSteps& steps, Provenance provenance, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("lanes", Text::figure_lanes, provenance, frame);
  figure.source = say(language, Text::figure_lanes_source);
  figure.table = table_of(steps);
  if (!steps.steps.empty()) {
    const size_t current = std::min<size_t>(steps.current, steps.steps.size() - 1);
    const bool accesses = steps.kind == LaneSteps::Kind::Accesses;
    figure.subtitle =
        phrase(language, accesses ? Text::figure_timeline_place : Text::figure_lanes_instruction, current + 1,
               steps.steps.size());
    const std::string tip(say(language, Text::tip_active));
    figure.headlines = {{fmt::to_string(steps.steps[current].active.count()),
                         std::string(say(language, Text::figure_lanes_now)),
                         Color::of(steps.steps[current].active == steps.warp ? Role::Good : Role::Bad), tip},
                        {decimal(language, mean_of(steps)),
                         std::string(say(language, Text::figure_lanes_mean)), Color::of(Role::Ink), tip}};
    figure.explanation = explain(steps, language);
  }
  Sheet sheet(figure, frame);
  LaneDrawing(sheet, steps, language).draw();
  return figure;
}

}  // namespace lanescope::plot
