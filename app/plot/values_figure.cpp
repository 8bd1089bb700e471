// The values of buffers as images in gray, before and after the launch. Tests:
// tests/golden/figures

#include "plot/figures.h"
#include "plot/sheet.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

std::string value_text(double value) { return fmt::format("{:.4g}", value); }

Text title_of(const model::ValueMap& map) {
  return map.time == model::ValueMap::Time::Before ? Text::figure_values_before : Text::figure_values_after;
}

/// How many columns of images make them largest.
size_t columns_for(const std::vector<model::ValueMap>& maps, float width, float height) {
  const float aspect =
      static_cast<float>(maps.front().columns) / static_cast<float>(std::max(1u, maps.front().rows));
  size_t best = 1;
  float largest = 0;
  for (size_t columns = 1; columns <= maps.size(); ++columns) {
    const float rows = std::ceil(static_cast<float>(maps.size()) / static_cast<float>(columns));
    const float side = std::min(width / static_cast<float>(columns), height / rows * aspect);
    if (side <= largest) continue;
    largest = side;
    best = columns;
  }
  return best;
}

void add_image(Sheet& sheet, const model::ValueMap& map, const Box& room, Language language) {
  const float small = sheet.type().small, row = 1.5f * small;
  sheet.place({.x = room.x,
               .y = room.y + row / 2,
               .text = phrase(language, title_of(map), map.buffer),
               .size = small,
               .color = Color::of(Role::Ink),
               .face = Label::Face::Strong});
  sheet.place(
      {.x = room.right(),
       .y = room.y + row / 2,
       .text = phrase(language, Text::figure_values_range, value_text(map.lowest), value_text(map.highest)),
       .size = small,
       .color = Color::of(Role::Dim),
       .anchor = Label::Anchor::End});
  const float cell = std::min(room.width / static_cast<float>(map.columns),
                              (room.height - row) / static_cast<float>(map.rows));
  if (cell <= 0) return;
  const Box box{room.x, room.y + row, cell * static_cast<float>(map.columns),
                cell * static_cast<float>(map.rows)};
  sheet.add(Cells{.x = box.x,
                  .y = box.y,
                  .width = box.width,
                  .height = box.height,
                  .rows = map.rows,
                  .columns = map.columns,
                  .value = map.level,
                  .maximum = model::ValueMap::kLevels,
                  .scale = Cells::Scale::Gray});
  sheet.add(Rect{
      .x = box.x, .y = box.y, .width = box.width, .height = box.height, .stroke = Color::of(Role::Line)});
}

}  // namespace

Figure values_figure(const std::vector<model::ValueMap>& maps, Provenance provenance, const Frame& frame) {
  Figure figure = begin_figure("values", Text::figure_values, provenance, frame);
  figure.source = say(frame.language, Text::figure_values_source);
  figure.table.columns = {{"buffer", ""},  {"time", ""},   {"rows", ""},
                          {"columns", ""}, {"lowest", ""}, {"highest", ""}};
  for (const model::ValueMap& map : maps)
    figure.table.rows.push_back({map.buffer,
                                 std::string(map.time == model::ValueMap::Time::Before ? "before" : "after"),
                                 int64_t{map.rows}, int64_t{map.columns}, map.lowest, map.highest});
  if (maps.empty()) return figure;
  Sheet sheet(figure, frame);
  const float gap = sheet.type().text;
  const size_t columns = columns_for(maps, sheet.width(), sheet.height());
  const size_t rows = (maps.size() + columns - 1) / columns;
  const float width = (sheet.width() + gap) / static_cast<float>(columns) - gap;
  const float height = (sheet.height() + gap) / static_cast<float>(rows) - gap;
  for (size_t n = 0; n < maps.size(); ++n)
    add_image(sheet, maps[n],
              {static_cast<float>(n % columns) * (width + gap),
               static_cast<float>(n / columns) * (height + gap), width, height},
              frame.language);
  return figure;
}

}  // namespace lanescope::plot
