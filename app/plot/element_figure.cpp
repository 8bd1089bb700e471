// Every element of a matrix in the color of the block that touched it, by launch order: neighbors in time
// are neighbors in color, so the order of the blocks can be seen even in a matrix of millions.
// Tests: tests/unit/plot/element_figure_test.cpp, tests/golden/figures

#include "base/counted_phrase.h"
#include "plot/axis.h"
#include "plot/figures.h"
#include "plot/heat_map.h"
#include "plot/lane_strip.h"
#include "plot/legend.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr float kStretch = 2;              // an element may be drawn this much longer than wide
constexpr size_t kMostHitAreas = 64 * 64;  // with more blocks, a file has no tooltips for them

/// A rectangle of elements that one block touched.
struct Patch {
  uint32_t block = 0;  // as in ElementMap: cta + 1
  uint32_t row = 0, rows = 1, column = 0, columns = 1;
};

/// The map as few rectangles: runs of a row, joined with the same run of the row above.
std::vector<Patch> patches_of(const model::ElementMap& map) {
  std::vector<Patch> patches;
  std::vector<size_t> above;  // patches that reach down to the row above, by column
  std::vector<size_t> here;
  for (uint32_t row = 0; row < map.rows; ++row) {
    here.clear();
    size_t candidate = 0;
    const uint32_t* values = map.block.data() + size_t{row} * map.columns;
    for (uint32_t column = 0; column < map.columns;) {
      uint32_t end = column + 1;
      while (end < map.columns && values[end] == values[column]) ++end;
      if (values[column] != 0) {
        while (candidate < above.size() && patches[above[candidate]].column < column) ++candidate;
        const bool joins = candidate < above.size() && patches[above[candidate]].column == column &&
                           patches[above[candidate]].columns == end - column &&
                           patches[above[candidate]].block == values[column];
        if (joins) {
          ++patches[above[candidate]].rows;
          here.push_back(above[candidate]);
        } else {
          here.push_back(patches.size());
          patches.push_back({values[column], row, 1, column, end - column});
        }
      }
      column = end;
    }
    above.swap(here);
  }
  return patches;
}

class ElementDrawing {
 public:
  ElementDrawing(Sheet& sheet, const trace::Trace& trace, const model::ElementMap& map,
                 const std::vector<Patch>& patches, Language language)
      : sheet_(sheet),
        trace_(trace),
        map_(map),
        patches_(patches),
        language_(language),
        row_(1.35f * sheet.type().small) {}

  void draw() {
    if (map_.rows == 0 || map_.columns == 0) return;
    const float size = sheet_.type().small;
    const std::string row_word(say(language_, Text::figure_row));
    const float left = std::max(text_width(fmt::to_string(map_.rows - 1), size, Label::Face::Regular),
                                text_width(row_word, size, Label::Face::Regular)) +
                       0.6f * size;
    const bool with_axes = sheet_.height() > 5 * row_ && left < 0.3f * sheet_.width();
    const bool with_legend = sheet_.height() > 8 * row_;
    const float x = with_axes ? left : 0;
    const float y = with_axes ? row_ : 0;
    const Box box = fit({x, y, sheet_.width() - x, sheet_.height() - y - (with_legend ? row_ + 4 : 0)});
    sheet_.add(Cells{.x = box.x,
                     .y = box.y,
                     .width = box.width,
                     .height = box.height,
                     .rows = map_.rows,
                     .columns = map_.columns,
                     .value = map_.block,
                     .maximum = static_cast<uint32_t>(std::max<uint64_t>(volume(trace_.grid), 1)),
                     .scale = Cells::Scale::Amount});
    sheet_.add(Rect{
        .x = box.x, .y = box.y, .width = box.width, .height = box.height, .stroke = Color::of(Role::Line)});
    add_picks(box);
    if (with_axes) add_axes(box, row_word);
    if (with_legend) {
      add_scale_legend(sheet_, box.x, sheet_.width(), sheet_.height() - row_ / 2,
                       {.first = fmt::format("{} 0", say(language_, Text::figure_elements_block)),
                        .last = number(language_, std::max<uint64_t>(volume(trace_.grid), 1) - 1),
                        .steps = 64});
    }
  }

 private:
  Box fit(const Box& room) const {
    const float element =
        std::min(room.width / static_cast<float>(map_.columns), room.height / static_cast<float>(map_.rows));
    return {room.x, room.y, std::min(room.width, element * kStretch * static_cast<float>(map_.columns)),
            std::min(room.height, element * kStretch * static_cast<float>(map_.rows))};
  }

  void add_picks(const Box& box) {
    if (patches_.size() > kMostHitAreas) return;
    const float width = box.width / static_cast<float>(map_.columns);
    const float height = box.height / static_cast<float>(map_.rows);
    for (const Patch& patch : patches_) {
      const CtaId cta{patch.block - 1};
      const size_t pick =
          sheet_.add(Pick{.tip = phrase(language_, Text::figure_elements_tip, block_name(cta, trace_.grid),
                                        cta.value, patch.row, patch.row + patch.rows - 1, patch.column,
                                        patch.column + patch.columns - 1),
                          .block = cta});
      add_hit_area(
          sheet_,
          {box.x + static_cast<float>(patch.column) * width, box.y + static_cast<float>(patch.row) * height,
           static_cast<float>(patch.columns) * width, static_cast<float>(patch.rows) * height},
          pick);
    }
  }

  void add_axes(const Box& box, const std::string& row_word) {
    const float size = sheet_.type().small;
    // Below the row numbers: next to the column numbers it would read as "row 0".
    add_axis_title(sheet_, row_word, box.x, box.bottom() + row_ / 2 + 2);
    const std::string column_word(say(language_, Text::figure_column));
    const float title = text_width(column_word, size, Label::Face::Regular);
    if (title < 0.4f * box.width) {
      sheet_.place({.x = box.right(),
                    .y = row_ / 2,
                    .text = column_word,
                    .size = size,
                    .color = Color::of(Role::Ink),
                    .anchor = Label::Anchor::End});
    }
    add_ticks_along(
        sheet_,
        {.count = map_.columns, .start = box.x, .spacing = box.width / static_cast<float>(map_.columns)},
        row_ / 2);
    add_ticks_down(
        sheet_, {.count = map_.rows, .start = box.y, .spacing = box.height / static_cast<float>(map_.rows)},
        box.x - 0.5f * size);
  }

  Sheet& sheet_;
  const trace::Trace& trace_;
  const model::ElementMap& map_;
  const std::vector<Patch>& patches_;
  Language language_;
  float row_;
};

Table table_of(const std::vector<Patch>& patches) {
  Table table{.columns = {{"block", ""},
                          {"row", "elements"},
                          {"column", "elements"},
                          {"rows", "elements"},
                          {"columns", "elements"}},
              .rows = {}};
  for (const Patch& patch : patches) {
    table.rows.push_back({int64_t{patch.block} - 1, int64_t{patch.row}, int64_t{patch.column},
                          int64_t{patch.rows}, int64_t{patch.columns}});
  }
  return table;
}

}  // namespace

Figure element_figure(const trace::Trace& trace, const model::ElementMap& map, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("elements", Text::figure_elements, trace.provenance, frame);
  const std::vector<Patch> patches = patches_of(map);
  const std::string_view buffer =
      map.buffer < trace.buffers.size() ? std::string_view(trace.buffers[map.buffer].name) : "";
  figure.subtitle =
      fmt::format("{} · {} × {}", traffic_name(language, map.kind, buffer), map.rows, map.columns);
  figure.source = phrase(language, Text::figure_elements_source, trace.kernel);
  uint64_t touched = 0;
  std::vector<uint32_t> blocks;
  for (const Patch& patch : patches) {
    touched += uint64_t{patch.rows} * patch.columns;
    blocks.push_back(patch.block);
  }
  std::ranges::sort(blocks);
  const auto repeated = std::ranges::unique(blocks);
  blocks.erase(repeated.begin(), repeated.end());
  figure.explanation =
      counted_phrase(language, Text::figure_elements_explained, number(language, blocks.size()),
                     number(language, touched), number(language, uint64_t{map.rows} * map.columns));
  figure.table = table_of(patches);
  Sheet sheet(figure, frame);
  ElementDrawing(sheet, trace, map, patches, language).draw();
  return figure;
}

}  // namespace lanescope::plot
