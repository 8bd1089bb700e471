// The effect of each assumption of the timing model: a row for each one that is switched off, a column for
// each kernel. If a cell is too small for its text, only the tooltip has it. Tests:
// tests/unit/plot/assumption_figure_test.cpp

#include "plot/cell_grid.h"
#include "plot/model_figures.h"
#include "plot/text_width.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

class AssumptionDrawing {
 public:
  AssumptionDrawing(Sheet& sheet, const AssumptionTable& table, Language language)
      : sheet_(sheet), table_(table), language_(language), row_(1.35f * sheet.type().small) {}

  void draw() {
    const float left = name_column();
    const Box box{left, 2 * row_, sheet_.width() - left, sheet_.height() - 2 * row_};
    const CellGrid grid = grid_in(box, model::kAssumptions + 1, static_cast<uint32_t>(table_.kernels.size()));
    for (uint32_t column = 0; column < table_.kernels.size(); ++column)
      add_head(grid.cell(0, column), column);
    for (uint32_t row = 0; row <= model::kAssumptions; ++row) {
      const Box first = grid.cell(row, 0);
      sheet_.place({.x = 0,
                    .y = first.y + first.height / 2,
                    .text = shorten(row_name(row), left, sheet_.type().small, Label::Face::Regular),
                    .size = sheet_.type().small,
                    .color = Color::of(Role::Ink)});
      for (uint32_t column = 0; column < table_.kernels.size(); ++column)
        add_cell(grid.cell(row, column), row, column);
    }
  }

 private:
  /// Row 0 has all assumptions.
  std::string row_name(uint32_t row) const {
    if (row == 0) return std::string(say(language_, Text::figure_assumptions_all));
    return phrase(language_, Text::figure_assumptions_without,
                  say(language_, model::assumption_texts()[row - 1].title));
  }
  float name_column() const {
    float widest = 0;
    for (uint32_t row = 0; row <= model::kAssumptions; ++row)
      widest = std::max(widest, text_width(row_name(row), sheet_.type().small, Label::Face::Regular));
    return std::min(widest + 0.6f * sheet_.type().small, 0.4f * sheet_.width());
  }
  std::string tenths(double value) const { return with_mark(language_, fmt::format("{:.1f}", value)); }
  void add_head(const Box& cell, uint32_t column) {
    const auto place = [&](const std::string& text, float y, Role role) {
      sheet_.place({.x = cell.x + cell.width / 2,
                    .y = y,
                    .text = text,
                    .size = sheet_.type().small,
                    .color = Color::of(role),
                    .anchor = Label::Anchor::Middle});
    };
    place(table_.kernels[column], 0.5f * row_, Role::Ink);
    place(phrase(language_, Text::figure_assumptions_published, tenths(table_.published[column])),
          1.5f * row_, Role::Dim);
  }
  void add_cell(const Box& cell, uint32_t row, uint32_t column) {
    const double all = table_.with_all[column];
    const double speed = row == 0 ? all : table_.without[column][row - 1];
    const double change = speed / all - 1;
    std::string tip = fmt::format("{} · {}: {} GB/s", table_.kernels[column], row_name(row), tenths(speed));
    if (row != 0) {
      const model::AssumptionText& text = model::assumption_texts()[row - 1];
      tip +=
          fmt::format(" ({}). {}: {}", signed_percent(change), text.name, say(language_, text.description));
    }
    const size_t pick = sheet_.add(Pick{.tip = std::move(tip)});
    // The darker the more it changes; a half is as dark as it gets.
    const auto strength = static_cast<float>(std::min(1.0, std::abs(change) / 0.5));
    sheet_.add(Rect{.x = cell.x,
                    .y = cell.y,
                    .width = cell.width,
                    .height = cell.height,
                    .radius = corner_of(cell),
                    .fill = Color::of(Role::Modelled, 0.04f + 0.4f * strength),
                    .pick = pick});
    if (cell.height < sheet_.type().least + 2) return;
    const float size = std::min(sheet_.type().small, cell.height - 2);
    const std::string value = tenths(speed);
    const std::string both = row == 0 ? value : fmt::format("{}  ({})", signed_percent(change), value);
    const bool fits = text_width(both, size, Label::Face::Regular) <= cell.width;
    sheet_.inscribe(fits || row == 0 ? both : signed_percent(change), cell, size, Color::of(Role::Ink),
                    row == 0 ? Label::Face::Strong : Label::Face::Regular);
  }

  Sheet& sheet_;
  const AssumptionTable& table_;
  Language language_;
  float row_;
};

Table table_of(const AssumptionTable& from) {
  Table table{.columns = {{"without", ""}, {"kernel", ""}, {"modelled", "GB/s"}, {"change", ""}}, .rows = {}};
  for (size_t kernel = 0; kernel < from.kernels.size(); ++kernel) {
    table.rows.push_back({std::string(), from.kernels[kernel], from.with_all[kernel], 0.0});
    for (size_t n = 0; n < model::kAssumptions; ++n)
      table.rows.push_back({std::string(model::assumption_texts()[n].name), from.kernels[kernel],
                            from.without[kernel][n], from.without[kernel][n] / from.with_all[kernel] - 1});
  }
  return table;
}

/// Where one assumption changes most.
std::string explain(const AssumptionTable& table, Language language) {
  size_t kernel = 0, assumption = 0;
  double most = -1;
  for (size_t k = 0; k < table.kernels.size(); ++k) {
    for (size_t n = 0; n < model::kAssumptions; ++n) {
      const double change = std::abs(table.without[k][n] / table.with_all[k] - 1);
      if (change <= most) continue;
      most = change;
      kernel = k;
      assumption = n;
    }
  }
  return phrase(language, Text::figure_assumptions_explain, table.kernels[kernel],
                say(language, model::assumption_texts()[assumption].title),
                signed_percent(table.without[kernel][assumption] / table.with_all[kernel] - 1));
}

}  // namespace

Figure assumption_figure(const AssumptionTable& table, const model::Device& device, const Frame& frame) {
  const Language language = frame.language;
  Figure figure = begin_figure("assumptions", Text::figure_assumptions, Provenance::Modelled, frame);
  figure.subtitle = phrase(language, Text::figure_assumptions_place, device.title);
  figure.source = phrase(language, Text::figure_assumptions_source);
  figure.table = table_of(table);
  if (table.kernels.empty()) return figure;
  figure.explanation = explain(table, language);
  Sheet sheet(figure, frame);
  AssumptionDrawing(sheet, table, language).draw();
  return figure;
}

}  // namespace lanescope::plot
