#include "sweep/figure.h"

#include "base/counted_phrase.h"
#include "base/number.h"
#include "plot/cell_grid.h"
#include "plot/chart.h"
#include "plot/heat_map.h"
#include "plot/legend.h"
#include "plot/text_width.h"
#include "sweep/words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::sweep {
namespace {

using plot::Figure;

template <class... Arguments>
std::string said(Language language, Words words, const Arguments&... arguments) {
  return counted_phrase(language, say(language, words), arguments...);
}

/// Whole numbers with their groups of three digits; others with three digits.
std::string value_text(Language language, double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return number(language, static_cast<uint64_t>(value));
  return with_mark(language, fmt::format("{:.3g}", value));
}

/// "64", "12 K", "3.4 M", for the cells of a map.
std::string short_text(Language language, double value) {
  constexpr double kThousand = 1000;
  const std::array<const char*, 5> units{"", "K", "M", "G", "T"};
  size_t unit = 0;
  while (value >= (unit == 0 ? 10 * kThousand : kThousand) && unit + 1 < units.size()) {
    value /= kThousand;
    ++unit;
  }
  const bool is_whole = value == std::floor(value) || value >= 100;
  const std::string digits =
      is_whole ? fmt::format("{:.0f}", value) : with_mark(language, fmt::format("{:.3g}", value));
  return unit == 0 ? digits : digits + "\u00a0" + units[unit];
}

/// "wavefronts", "sectors / ideal sectors"
std::string shown_name(std::string name) {
  std::ranges::replace(name, '_', ' ');
  if (const size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, " / ");
  return name;
}

/// What is the same for all that is shown: the subject, fixed options, axes with one value.
std::string place_of(const Drawn& drawn) {
  std::string place = drawn.definition.subject;
  for (const std::string& option : drawn.definition.options) place += " · " + option;
  for (const Axis& axis : drawn.definition.axes) {
    const auto chosen =
        std::ranges::find(drawn.question.where, axis.name, &std::pair<std::string, std::string>::first);
    if (chosen != drawn.question.where.end())
      place += fmt::format(" · {}={}", axis.name, chosen->second);
    else if (axis.values.size() == 1)
      place += fmt::format(" · {}={}", axis.name, axis.values.front());
  }
  return place;
}

std::string source_of(const Drawn& drawn, Provenance provenance, Language language) {
  const Words origin = provenance == Provenance::Modelled ? Words::from_caches : Words::from_runs;
  return said(language, Words::source, say(language, origin),
              number(language, combinations(drawn.definition.axes)), drawn.file);
}

Figure begin(const char* name, const Drawn& drawn, Provenance provenance, const plot::Frame& frame) {
  const Language language = frame.language;
  Figure figure;
  figure.name = name;
  figure.title = drawn.question.x.empty()
                     ? shown_name(drawn.question.y)
                     : said(language, Words::by, shown_name(drawn.question.y), drawn.question.x);
  if (!drawn.question.by.empty())
    figure.title = said(language, Words::and_by, figure.title, drawn.question.by);
  figure.subtitle = place_of(drawn);
  figure.provenance = provenance;
  figure.source = source_of(drawn, provenance, language);
  figure.size = frame.size;
  figure.language = language;
  return figure;
}

std::string missing_words(uint64_t missing, Language language) {
  if (missing == 0) return {};
  return said(language, Words::without, missing);
}

/// "From 4,096 (size=1024, order=diagonal) to 65,536 (...).", of all that is shown.
std::string extremes(const Selection& selection, const Drawn& drawn, Language language) {
  const Cell* least = nullptr;
  const Cell* most = nullptr;
  for (const auto& line : selection.cells)
    for (const auto& cell : line) {
      if (!cell) continue;
      if (least == nullptr || cell->value < least->value) least = &*cell;
      if (most == nullptr || cell->value > most->value) most = &*cell;
    }
  if (least == nullptr) return {};
  return said(language, Words::range, value_text(language, least->value),
              name_of(drawn.definition.axes, least->number), value_text(language, most->value),
              name_of(drawn.definition.axes, most->number));
}

plot::Table table_of(const Selection& selection, const Question& question) {
  plot::Table table;
  table.columns.push_back({question.x, ""});
  if (!question.by.empty()) table.columns.push_back({question.by, ""});
  table.columns.push_back({question.y, ""});
  for (size_t line = 0; line < selection.by.size(); ++line)
    for (size_t n = 0; n < selection.x.size(); ++n) {
      if (!selection.cells[line][n]) continue;
      std::vector<plot::TableValue> row{selection.x[n]};
      if (!question.by.empty()) row.emplace_back(selection.by[line]);
      row.emplace_back(selection.cells[line][n]->value);
      table.rows.push_back(std::move(row));
    }
  return table;
}

double largest(const Selection& selection) {
  double most = 0;
  for (const auto& line : selection.cells)
    for (const auto& cell : line) most = std::max(most, cell ? cell->value : 0);
  return most;
}

/// A factor that the value axis divides by, so that its ticks are short, and its name.
struct Unit {
  double divisor = 1;
  std::string name;
};
Unit unit_of(const Selection& selection, const std::string& values, Language language) {
  constexpr double kThousand = 1e3, kMillion = 1e6, kBillion = 1e9;
  const double most = largest(selection);
  if (most < 10 * kThousand) return {1, values};
  if (most < kMillion) return {kThousand, fmt::format("{}, {}", values, say(language, Words::thousands))};
  if (most < kBillion) return {kMillion, fmt::format("{}, {}", values, say(language, Words::millions))};
  return {kBillion, fmt::format("{}, {}", values, say(language, Words::billions))};
}

/// The lines of the selection, equal ones as one; `by`, the name of their axis, may be empty.
std::vector<plot::Series> series_of(const Selection& selection, const std::string& by, double divisor) {
  std::vector<plot::Series> series;
  for (size_t line = 0; line < selection.by.size(); ++line) {
    std::vector<double> values;
    for (const auto& cell : selection.cells[line]) values.push_back(cell ? cell->value / divisor : -1);
    const auto equal = std::ranges::find(series, values, &plot::Series::values);
    if (equal != series.end()) {
      equal->name += ", " + selection.by[line];
      continue;
    }
    const plot::Color color = plot::Color::of_kind(static_cast<uint32_t>(series.size()));
    series.push_back({fmt::format("{}={}", by, selection.by[line]), color, std::move(values)});
  }
  return series;
}

class MapDrawing {
 public:
  MapDrawing(plot::Sheet& sheet, const Selection& selection, const Drawn& drawn, Language language)
      : sheet_(sheet), selection_(selection), drawn_(drawn), language_(language) {}

  void draw() {
    const float size = sheet_.type().small;
    float left = 0;
    for (const std::string& name : row_names())
      left = std::max(left, plot::text_width(name, size, plot::Label::Face::Regular));
    left = std::min(left + 0.8f * size, 0.3f * sheet_.width());
    const plot::Box box{left, 2.2f * size, sheet_.width() - left, sheet_.height() - 5.4f * size};
    const auto rows = static_cast<uint32_t>(selection_.by.size());
    const auto columns = static_cast<uint32_t>(selection_.x.size());
    const plot::CellGrid grid = plot::grid_in(box, rows, columns);
    add_legend(0.7f * size);
    plot::add_heat_map(sheet_, box, rows, columns, amounts(), kSteps);
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t column = 0; column < columns; ++column)
        if (const auto& cell = selection_.cells[row][column]) add_number(*cell, grid.cell(row, column));
    add_names(grid, left);
  }

 private:
  static constexpr uint32_t kSteps = 1000;

  std::vector<std::string> row_names() const {
    std::vector<std::string> names;
    for (const std::string& value : selection_.by)
      names.push_back(fmt::format("{}={}", drawn_.question.by, value));
    return names;
  }
  /// [row][column] 1 to kSteps; 0 where there is no number.
  std::vector<uint32_t> amounts() const {
    const double most = largest(selection_);
    std::vector<uint32_t> values;
    for (const auto& line : selection_.cells)
      for (const auto& cell : line) {
        const double share = cell && most > 0 ? cell->value / most : 0;
        values.push_back(cell ? std::max(1u, static_cast<uint32_t>(std::lround(share * kSteps))) : 0);
      }
    return values;
  }
  void add_legend(float y) {
    plot::add_scale_legend(sheet_, 0, sheet_.width(), y,
                           {.first = "0",
                            .last = fmt::format("{} {}", value_text(language_, largest(selection_)),
                                                shown_name(drawn_.question.y))});
  }
  void add_number(const Cell& cell, const plot::Box& box) {
    const double most = largest(selection_);
    const auto share = static_cast<float>(most > 0 ? cell.value / most : 0);
    const plot::Color ink = plot::Color::on(plot::Color::of_amount(share));
    const float size = sheet_.type().small;
    const float least = sheet_.type().least;
    const std::string text = short_text(language_, cell.value);
    if (const float fitting = plot::fitting_size(text, box.width, box.height, least, size); fitting > 0)
      sheet_.inscribe(text, box, fitting, ink);
    plot::add_hit_area(
        sheet_, box,
        sheet_.add(plot::Pick{.tip = fmt::format("{} · {} {}", name_of(drawn_.definition.axes, cell.number),
                                                 value_text(language_, cell.value),
                                                 shown_name(drawn_.question.y))}));
  }
  void add_names(const plot::CellGrid& grid, float left) {
    const float size = sheet_.type().small;
    const auto place = [&](float x, float y, const std::string& text, plot::Label::Anchor anchor) {
      sheet_.place({.x = x,
                    .y = y,
                    .text = text,
                    .size = size,
                    .color = plot::Color::of(plot::Role::Dim),
                    .anchor = anchor});
    };
    for (uint32_t row = 0; row < grid.rows; ++row) {
      const plot::Box cell = grid.cell(row, 0);
      place(left - 0.5f * size, cell.y + cell.height / 2,
            plot::shorten(row_names()[row], left - 0.5f * size, size, plot::Label::Face::Regular),
            plot::Label::Anchor::End);
    }
    float widest = 0;
    for (const std::string& name : selection_.x)
      widest = std::max(widest, plot::text_width(name, size, plot::Label::Face::Regular));
    uint32_t step = 1;
    while (static_cast<float>(step) * grid.column_width() < widest + size && step < grid.columns) ++step;
    for (uint32_t column = 0; column < grid.columns; column += step) {
      const plot::Box cell = grid.cell(0, column);
      place(cell.x + cell.width / 2, grid.box.bottom() + size, selection_.x[column],
            plot::Label::Anchor::Middle);
    }
    place(grid.box.x + grid.box.width / 2, grid.box.bottom() + 2.4f * size, drawn_.question.x,
          plot::Label::Anchor::Middle);
  }

  plot::Sheet& sheet_;
  const Selection& selection_;
  const Drawn& drawn_;
  Language language_;
};

}  // namespace

Figure line_figure(const Selection& selection, const Drawn& drawn, const plot::Frame& frame) {
  Figure figure = begin("sweep", drawn, selection.provenance, frame);
  figure.warning = missing_words(selection.missing, frame.language);
  figure.explanation = extremes(selection, drawn, frame.language);
  figure.table = table_of(selection, drawn.question);
  plot::Sheet sheet(figure, frame);
  const Unit unit = unit_of(selection, shown_name(drawn.question.y), frame.language);
  std::vector<plot::Series> series = series_of(selection, drawn.question.by, unit.divisor);
  if (drawn.question.by.empty()) series.front().name = shown_name(drawn.question.y);
  plot::add_line_chart(sheet, {0, 0, sheet.width(), sheet.height()}, selection.x, series,
                       {unit.name, drawn.question.x});
  return figure;
}

Figure map_figure(const Selection& selection, const Drawn& drawn, const plot::Frame& frame) {
  Figure figure = begin("sweep_map", drawn, selection.provenance, frame);
  figure.warning = missing_words(selection.missing, frame.language);
  figure.explanation = extremes(selection, drawn, frame.language);
  figure.table = table_of(selection, drawn.question);
  plot::Sheet sheet(figure, frame);
  MapDrawing(sheet, selection, drawn, frame.language).draw();
  return figure;
}

Figure best_table(const std::vector<Best>& best, Order order, const Drawn& drawn, Provenance provenance,
                  const plot::Frame& frame) {
  Figure figure = begin("sweep_best", drawn, provenance, frame);
  figure.title = said(frame.language, order == Order::Least ? Words::least : Words::most, figure.title);
  const std::vector<Axis>& axes = drawn.definition.axes;
  if (!drawn.question.x.empty()) figure.table.columns.push_back({drawn.question.x, ""});
  figure.table.columns.push_back({drawn.question.y, ""});
  for (const Axis& axis : axes)
    if (axis.name != drawn.question.x) figure.table.columns.push_back({axis.name, ""});
  figure.table.columns.push_back({"compared", "combinations"});
  for (const Best& group : best)
    for (const uint64_t number : group.numbers) {
      std::vector<plot::TableValue> row;
      if (!drawn.question.x.empty()) row.emplace_back(group.x);
      row.emplace_back(group.value);
      const std::vector<std::string> values = values_of(axes, number);
      for (size_t n = 0; n < axes.size(); ++n)
        if (axes[n].name != drawn.question.x) row.emplace_back(values[n]);
      row.emplace_back(static_cast<int64_t>(group.compared));
      figure.table.rows.push_back(std::move(row));
    }
  return figure;
}

}  // namespace lanescope::sweep
