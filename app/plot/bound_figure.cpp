// Predicted against recorded times: a cell for each kernel and size with the error, both times and the level
// that limits. If a cell is too small for its text, only the tooltip has it.
// Tests: tests/unit/plot/bound_figure_test.cpp

#include "plot/cell_grid.h"
#include "plot/model_figures.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

std::string level_name(Language language, model::Level level) {
  static constexpr std::array<Text, model::kLevels> kTexts{
      Text::bound_memory,  Text::bound_l2, Text::bound_lines,     Text::bound_shared,
      Text::bound_latency, Text::bound_l1, Text::bound_arithmetic};
  return std::string(say(language, kTexts[static_cast<size_t>(level)]));
}

std::string microseconds(double seconds) {
  return seconds < 100e-6 ? fmt::format("{:.1f}", seconds * 1e6) : fmt::format("{:.0f}", seconds * 1e6);
}

/// A kernel without a recorded time, as one of a fixed shape, has no row.
BoundTable without_empty_rows(const BoundTable& table) {
  BoundTable shown = table;
  shown.kernels.clear();
  shown.cells.clear();
  for (size_t row = 0; row < table.kernels.size(); ++row) {
    if (std::ranges::none_of(table.cells[row], [](const auto& cell) { return cell.has_value(); })) continue;
    shown.kernels.push_back(table.kernels[row]);
    shown.cells.push_back(table.cells[row]);
  }
  return shown;
}

/// All headings in one form: "1024 × 1024" where each has room for it, else "1024".
std::vector<std::string> headings_of(const BoundTable& table, float room, float size) {
  std::vector<std::string> whole, sides;
  for (const auto side : table.sizes) {
    whole.push_back(fmt::format("{0} × {0}", side));
    sides.push_back(fmt::to_string(side));
  }
  const bool has_room = std::ranges::all_of(whole, [&](const std::string& heading) {
    return text_width(heading, size, Label::Face::Regular) + 0.5f * size < room;
  });
  return has_room ? whole : sides;
}

class BoundDrawing {
 public:
  BoundDrawing(Sheet& sheet, const BoundTable& table, Language language)
      : sheet_(sheet), table_(table), language_(language), row_(1.35f * sheet.type().small) {}

  void draw() {
    float left = 0;
    for (const std::string& kernel : table_.kernels)
      left = std::max(left, text_width(kernel, sheet_.type().small, Label::Face::Regular));
    left = std::min(left + 0.6f * sheet_.type().small, 0.4f * sheet_.width());
    const Box box{left, row_, sheet_.width() - left, sheet_.height() - row_};
    const CellGrid grid = grid_in(box, static_cast<uint32_t>(table_.kernels.size()),
                                  static_cast<uint32_t>(table_.sizes.size()));
    const std::vector<std::string> headings = headings_of(table_, grid.column_width(), sheet_.type().small);
    for (uint32_t column = 0; column < table_.sizes.size(); ++column) {
      const Box cell = grid.cell(0, column);
      sheet_.place({.x = cell.x + cell.width / 2,
                    .y = row_ / 2,
                    .text = headings[column],
                    .size = sheet_.type().small,
                    .color = Color::of(Role::Dim),
                    .anchor = Label::Anchor::Middle});
    }
    for (uint32_t row = 0; row < table_.kernels.size(); ++row) {
      const Box first = grid.cell(row, 0);
      sheet_.place({.x = 0,
                    .y = first.y + first.height / 2,
                    .text = shorten(table_.kernels[row], left, sheet_.type().small, Label::Face::Regular),
                    .size = sheet_.type().small,
                    .color = Color::of(Role::Ink)});
      for (uint32_t column = 0; column < table_.sizes.size(); ++column)
        if (const auto& cell = table_.cells[row][column])
          add_cell(grid.cell(row, column), *cell, row, column);
    }
  }

 private:
  void add_cell(const Box& box, const BoundCell& cell, uint32_t row, uint32_t column) {
    const bool fitted = cell.origin == BoundCell::Origin::Fitted;
    const std::string error = signed_percent(cell.error());
    const std::string mark =
        fitted ? fmt::format(" · {}", say(language_, Text::figure_bound_fitted)) : std::string();
    const size_t pick = sheet_.add(Pick{
        .tip = phrase(language_, Text::figure_bound_tip, table_.kernels[row], table_.sizes[column],
                      table_.sizes[column], microseconds(cell.predicted_seconds),
                      microseconds(cell.recorded_seconds), error, level_name(language_, cell.limit), mark)});
    // The darker the further off; 40 % is as dark as it gets.
    const auto off = static_cast<float>(std::min(1.0, std::abs(cell.error()) / 0.4));
    sheet_.add(Rect{.x = box.x,
                    .y = box.y,
                    .width = box.width,
                    .height = box.height,
                    .radius = corner_of(box),
                    .fill = Color::of(Role::Bad, 0.05f + 0.4f * off),
                    .stroke = fitted ? std::optional(Color::of(Role::Ink)) : std::nullopt,
                    .pick = pick});
    const Type& type = sheet_.type();
    const float line = 1.25f * type.least;
    const bool with_times = box.height > 2.3f * line;
    const bool with_limit = box.height > 3.3f * line;
    const int lines = 1 + (with_times ? 1 : 0) + (with_limit ? 1 : 0);
    float y = box.y + box.height / 2 - static_cast<float>(lines - 1) * line / 2;
    const auto add = [&](const std::string& text, float size, Color color, Label::Face face) {
      sheet_.inscribe(text, {box.x, y - line / 2, box.width, line}, size, color, face);
      y += line;
    };
    add(error, std::min(type.small, line - 2), Color::of(Role::Ink), Label::Face::Strong);
    if (with_times)
      add(fmt::format("{} / {}", microseconds(cell.predicted_seconds), microseconds(cell.recorded_seconds)),
          type.least, Color::of(Role::Ink), Label::Face::Regular);
    if (with_limit)
      add(level_name(language_, cell.limit) + mark, type.least, Color::of(Role::Dim), Label::Face::Regular);
  }

  Sheet& sheet_;
  const BoundTable& table_;
  Language language_;
  float row_;
};

Table table_of(const BoundTable& bound) {
  Table table{.columns = {{"kernel", ""},
                          {"side", "elements"},
                          {"predicted", "s"},
                          {"recorded", "s"},
                          {"error", ""},
                          {"limit", ""},
                          {"fitted", ""}},
              .rows = {}};
  for (size_t row = 0; row < bound.kernels.size(); ++row) {
    for (size_t column = 0; column < bound.sizes.size(); ++column) {
      const auto& cell = bound.cells[row][column];
      if (!cell) continue;
      table.rows.push_back({bound.kernels[row], int64_t{bound.sizes[column]}, cell->predicted_seconds,
                            cell->recorded_seconds, cell->error(), std::string(model::name_of(cell->limit)),
                            int64_t{cell->origin == BoundCell::Origin::Fitted ? 1 : 0}});
    }
  }
  return table;
}

std::string explain(const BoundTable& bound, Language language) {
  std::vector<double> errors;
  const BoundCell* worst = nullptr;
  size_t worst_row = 0, worst_column = 0;
  for (size_t row = 0; row < bound.kernels.size(); ++row) {
    for (size_t column = 0; column < bound.sizes.size(); ++column) {
      const auto& cell = bound.cells[row][column];
      if (!cell) continue;
      errors.push_back(std::abs(cell->error()));
      if (worst != nullptr && errors.back() <= std::abs(worst->error())) continue;
      worst = &*cell;
      worst_row = row;
      worst_column = column;
    }
  }
  if (worst == nullptr) return {};
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::ranges::nth_element(errors, middle);
  return phrase(language, Text::figure_bound_explain, errors.size(), fmt::format("{:.0f} %", 100 * *middle),
                bound.kernels[worst_row], bound.sizes[worst_column], signed_percent(worst->error()));
}

}  // namespace

Figure bound_figure(const BoundTable& all, const Frame& frame) {
  const BoundTable table = without_empty_rows(all);
  const Language language = frame.language;
  Figure figure = begin_figure("bound", Text::figure_bound, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_bound_place, table.gpu);
  figure.source = phrase(language, Text::figure_bound_source, table.origin);
  figure.explanation = explain(table, language);
  figure.table = table_of(table);
  Sheet sheet(figure, frame);
  if (!table.kernels.empty() && !table.sizes.empty()) BoundDrawing(sheet, table, language).draw();
  return figure;
}

}  // namespace lanescope::plot
