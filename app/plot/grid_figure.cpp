// The whole grid, a cell for each block in its place, colored by what the accesses of the block cost; numbers
// where they fit. A grid of one row is drawn in several. Beyond 64 x 64 shown blocks an image of cells.
// Tests: tests/unit/plot/grid_figure_test.cpp, tests/golden/figures

#include "plot/access_cost.h"
#include "plot/cell_grid.h"
#include "plot/figures.h"
#include "plot/heat_map.h"
#include "plot/legend.h"
#include "plot/map_part.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr uint32_t kMostCells = 64 * 64;  // beyond, an image
constexpr uint32_t kLongRow = 32;         // of blocks; a longer one is folded
constexpr float kStretch = 2.5f;          // a cell may be this much longer than wide
constexpr float kEven = 0.5f;             // of the scale, where all blocks cost as much

uint64_t cost_of(const model::BlockCost& block, BlockMeasure measure) {
  return measure == BlockMeasure::Sectors ? block.sectors : block.wavefronts;
}
uint64_t ideal_of(const model::BlockCost& block, BlockMeasure measure) {
  return measure == BlockMeasure::Sectors ? block.ideal_sectors : block.ideal_wavefronts;
}

/// How the blocks lie on the sheet: in launch order, row by row.
struct Layout {
  uint32_t columns = 1, rows = 1;
  bool is_folded = false;
};
Layout layout_of(const Dim3& grid, float aspect) {
  const uint64_t blocks = volume(grid);
  if (grid.y * grid.z > 1 || grid.x <= kLongRow) return {grid.x, grid.y * grid.z, false};
  const double wide = std::ceil(std::sqrt(static_cast<double>(blocks) * std::max(aspect, 0.1f) / kStretch));
  // Powers of two are easier to count in.
  const uint64_t columns = std::bit_ceil(static_cast<uint64_t>(std::max(wide, 1.0)));
  return {static_cast<uint32_t>(columns), static_cast<uint32_t>((blocks + columns - 1) / columns), true};
}

class GridDrawing {
 public:
  GridDrawing(Sheet& sheet, const trace::Trace& trace, const model::BlockCosts& costs, BlockMeasure measure,
              const Layout& layout, const Frame& frame)
      : sheet_(sheet),
        trace_(trace),
        costs_(costs),
        measure_(measure),
        layout_(layout),
        language_(frame.language),
        scale_(frame.scale),
        columns_(shown_cells(frame.part.x, frame.part.zoom, layout.columns)),
        rows_(shown_cells(frame.part.y, frame.part.zoom, layout.rows)) {}

  std::vector<ZoomArea> draw(std::optional<CtaId> selected) {
    const Type& type = sheet_.type();
    const float legend = sheet_.height() > 8 * type.text ? 1.6f * type.small : 0;
    constexpr float kMargin = 3;
    const Box room{kMargin, kMargin, sheet_.width() - 2 * kMargin, sheet_.height() - 2 * kMargin - legend};
    if (room.width <= 0 || room.height <= 0 || costs_.blocks.empty()) return {};
    const auto columns = static_cast<float>(columns_.count), rows = static_cast<float>(rows_.count);
    const float side = std::min(room.width / columns, room.height / rows);
    box_ = {room.x, room.y, std::min(room.width, side * kStretch * columns),
            std::min(room.height, side * kStretch * rows)};
    most_ = std::max(dearest(), static_cast<uint64_t>(scale_.ends[0]));
    is_even_ = are_equal();
    const bool as_image = uint64_t{columns_.count} * rows_.count > kMostCells;
    if (as_image) {
      add_image();
    } else {
      add_cells();
    }
    if (selected) add_outline(*selected);
    if (legend > 0 && !is_even_)
      add_scale_legend(sheet_, box_.x, sheet_.width(), sheet_.height() - legend / 2,
                       {.first = "0", .last = words(most_), .steps = 64});
    return {zoom_area(box_, layout_.columns, layout_.rows)};
  }

  /// The cost of the dearest block: ends[0] of the scale.
  uint64_t dearest() const {
    uint64_t most = 0;
    for (const model::BlockCost& block : costs_.blocks) most = std::max(most, cost_of(block, measure_));
    return most;
  }
  /// "1,024 sectors"
  std::string words(uint64_t cost) const {
    return cost_words(language_, cost, measure_ == BlockMeasure::Wavefronts, costs_.units);
  }
  bool is_zoomed() const { return columns_.count < layout_.columns || rows_.count < layout_.rows; }
  /// Of the shown blocks.
  CtaId first() const { return CtaId{rows_.first * layout_.columns + columns_.first}; }
  CtaId last() const {
    const uint64_t number = uint64_t{rows_.end() - 1} * layout_.columns + columns_.end() - 1;
    return CtaId{static_cast<uint32_t>(std::min<uint64_t>(number, volume(trace_.grid) - 1))};
  }

 private:
  uint32_t row_of(CtaId cta) const { return cta.value / layout_.columns; }
  uint32_t column_of(CtaId cta) const { return cta.value % layout_.columns; }
  bool is_shown(CtaId cta) const { return rows_.holds(row_of(cta)) && columns_.holds(column_of(cta)); }
  Box cell_of(CtaId cta) const {
    return grid_in(box_, rows_.count, columns_.count)
        .cell(row_of(cta) - rows_.first, column_of(cta) - columns_.first);
  }
  /// Then no color says more than another.
  bool are_equal() const {
    return std::ranges::all_of(
        costs_.blocks, [&](const model::BlockCost& block) { return cost_of(block, measure_) == most_; });
  }
  Color color_of(uint64_t cost) const {
    if (is_even_) return Color::of_amount(kEven);
    return Color::of_amount(most_ == 0 ? 0 : static_cast<float>(cost) / static_cast<float>(most_));
  }
  size_t pick_of(const model::BlockCost& block) {
    return sheet_.add(
        Pick{.tip = phrase(language_, Text::figure_grid_tip, block_name(block.cta, trace_.grid),
                           block.cta.value, words(cost_of(block, measure_)),
                           number(language_, ideal_of(block, measure_)), number(language_, block.requests)),
             .block = block.cta});
  }

  void add_cells() {
    const Type& type = sheet_.type();
    const std::string widest = number(language_, most_);
    const Box usual = grid_in(box_, rows_.count, columns_.count).cell(0, 0);
    const float size = fitting_size(widest, usual.width, 0.8f * usual.height, type.least, 1.25f * type.text);
    for (const model::BlockCost& block : costs_.blocks) {
      if (!is_shown(block.cta)) continue;
      const Box cell = cell_of(block.cta);
      const uint64_t cost = cost_of(block, measure_);
      const Color fill = color_of(cost);
      add_cell(sheet_, cell, fill, pick_of(block));
      if (size > 0) sheet_.inscribe(number(language_, cost), cell, size, Color::on(fill));
    }
  }

  void add_image() {
    Cells cells{
        .x = box_.x,
        .y = box_.y,
        .width = box_.width,
        .height = box_.height,
        .rows = rows_.count,
        .columns = columns_.count,
        .value = std::vector<uint32_t>(size_t{rows_.count} * columns_.count),
        .maximum = static_cast<uint32_t>(std::min<uint64_t>(is_even_ ? 2 * most_ : most_, UINT32_MAX)),
        .scale = Cells::Scale::Amount};
    for (const model::BlockCost& block : costs_.blocks) {
      if (!is_shown(block.cta)) continue;
      // Zero is empty: a block without such accesses looks as one that costs next to nothing.
      const uint64_t cost = std::clamp<uint64_t>(cost_of(block, measure_), 1, UINT32_MAX);
      cells.value[size_t{row_of(block.cta) - rows_.first} * columns_.count + column_of(block.cta) -
                  columns_.first] = static_cast<uint32_t>(cost);
      add_hit_area(sheet_, cell_of(block.cta), pick_of(block));
    }
    sheet_.add(std::move(cells));
  }

  void add_outline(CtaId cta) {
    if (!is_shown(cta)) return;
    const Box cell = cell_of(cta);
    sheet_.add(Rect{.x = cell.x - 1,
                    .y = cell.y - 1,
                    .width = cell.width + 2,
                    .height = cell.height + 2,
                    .radius = corner_of(cell) + 1,
                    .stroke = Color::of(Role::Accent),
                    .stroke_width = 2.5f});
  }

  Sheet& sheet_;
  const trace::Trace& trace_;
  const model::BlockCosts& costs_;
  BlockMeasure measure_;
  Layout layout_;
  Language language_;
  Scale scale_;  // of the figure beside it
  CellRange columns_, rows_;
  Box box_;
  uint64_t most_ = 0;
  bool is_even_ = false;  // all blocks cost as much
};

Table table_of(const trace::Trace& trace, const model::BlockCosts& costs) {
  const bool is_old = costs.units == model::CostUnits::Transactions;
  const std::string global = is_old ? "transactions" : "sectors", shared = is_old ? "passes" : "wavefronts";
  Table table{.columns = {{"block", ""},
                          {"x", ""},
                          {"y", ""},
                          {"z", ""},
                          {"requests", ""},
                          {global, ""},
                          {"ideal_" + global, ""},
                          {shared, ""},
                          {"ideal_" + shared, ""}},
              .rows = {}};
  for (const model::BlockCost& block : costs.blocks) {
    const Dim3 at = position_of(block.cta.value, trace.grid);
    table.rows.push_back({int64_t{block.cta.value}, int64_t{at.x}, int64_t{at.y}, int64_t{at.z},
                          static_cast<int64_t>(block.requests), static_cast<int64_t>(block.sectors),
                          static_cast<int64_t>(block.ideal_sectors), static_cast<int64_t>(block.wavefronts),
                          static_cast<int64_t>(block.ideal_wavefronts)});
  }
  return table;
}

std::string explain(const trace::Trace& trace, const model::BlockCosts& costs, BlockMeasure measure,
                    const GridDrawing& drawing, Language language) {
  if (costs.blocks.empty()) return {};
  const auto by_cost = [&](const model::BlockCost& block) { return cost_of(block, measure); };
  const auto [least, most] = std::ranges::minmax_element(costs.blocks, {}, by_cost);
  uint64_t sum = 0;
  for (const model::BlockCost& block : costs.blocks) sum += by_cost(block);
  std::string text =
      by_cost(*least) == by_cost(*most)
          ? phrase(language, Text::figure_grid_equal, number(language, costs.blocks.size()),
                   drawing.words(by_cost(*most)))
          : phrase(language, Text::figure_grid_uneven, number(language, by_cost(*least)),
                   block_name(least->cta, trace.grid), drawing.words(by_cost(*most)),
                   block_name(most->cta, trace.grid),
                   decimal(language, static_cast<double>(sum) / static_cast<double>(costs.blocks.size())));
  if (costs.blocks.size() < volume(trace.grid))
    text += " " + phrase(language, Text::figure_grid_partly, number(language, costs.blocks.size()),
                         number(language, volume(trace.grid)));
  return text;
}

}  // namespace

Text unit_of(BlockMeasure measure, model::CostUnits units) {
  const bool is_old = units == model::CostUnits::Transactions;
  if (measure == BlockMeasure::Wavefronts) return is_old ? Text::figure_passes : Text::figure_wavefronts;
  return is_old ? Text::figure_transactions : Text::figure_sectors;
}

std::vector<BlockMeasure> measures_of(const model::BlockCosts& costs) {
  std::vector<BlockMeasure> measures;
  for (const BlockMeasure measure : {BlockMeasure::Sectors, BlockMeasure::Wavefronts})
    if (std::ranges::any_of(costs.blocks,
                            [&](const model::BlockCost& block) { return cost_of(block, measure) != 0; }))
      measures.push_back(measure);
  if (measures.empty()) measures.push_back(BlockMeasure::Sectors);
  return measures;
}

Figure grid_figure(const trace::Trace& trace, const model::BlockCosts& costs, BlockMeasure measure,
                   std::optional<CtaId> selected, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("grid", Text::figure_grid, trace.provenance, frame);
  const Layout layout = layout_of(trace.grid, frame.size.width / std::max(frame.size.height, 1.0f));
  figure.source = phrase(language, Text::figure_grid_source, trace.kernel);
  if (layout.is_folded) figure.source += " " + phrase(language, Text::figure_grid_folded, layout.columns);
  figure.table = table_of(trace, costs);
  Sheet sheet(figure, frame);
  GridDrawing drawing(sheet, trace, costs, measure, layout, frame);
  figure.scale = {{static_cast<double>(drawing.dearest())}};
  figure.zoom_areas = drawing.draw(selected);
  figure.explanation = explain(trace, costs, measure, drawing, language);
  const Dim3& grid = trace.grid;
  const std::string extent = grid.z > 1   ? fmt::format("{} × {} × {}", grid.x, grid.y, grid.z)
                             : grid.y > 1 ? fmt::format("{} × {}", grid.x, grid.y)
                                          : fmt::to_string(grid.x);
  figure.subtitle =
      phrase(language, Text::figure_grid_place, extent, say(language, unit_of(measure, costs.units)));
  if (drawing.is_zoomed())
    figure.subtitle = phrase(language, Text::figure_grid_zoomed, figure.subtitle,
                             block_name(drawing.first(), grid), block_name(drawing.last(), grid));
  return figure;
}

}  // namespace lanescope::plot
