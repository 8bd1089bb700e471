// A figure as text, one mark a line: what golden files keep. Coordinates have one decimal digit, so
// that a file is the same whatever the last bits of a float are.

#pragma once

#include "plot/figure.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace lanescope::tests {

inline std::string figure_number(float value) {
  const double rounded = std::round(static_cast<double>(value) * 10) / 10;
  return fmt::format("{:.1f}", rounded == 0 ? 0.0 : rounded);  // never "-0.0"
}

inline std::string color_text(const plot::Color& color) {
  using Scale = plot::Color::Scale;
  const std::string faded = color.opacity < 1 ? fmt::format("@{}", figure_number(color.opacity * 100)) : "";
  switch (color.scale) {
    case Scale::Role:
      return fmt::format("role{}{}", static_cast<int>(color.role), faded);
    case Scale::Amount:
      return fmt::format("amount{}{}", figure_number(color.amount * 100), faded);
    case Scale::Kind:
      return fmt::format("kind{}{}", color.kind, faded);
    case Scale::Gray:
      return fmt::format("gray{}", figure_number(color.amount * 100));
    case Scale::OnAmount:
      return fmt::format("on-amount{}{}", figure_number(color.amount * 100), faded);
    case Scale::OnKind:
      return fmt::format("on-kind{}{}", color.kind, faded);
  }
  return "?";
}

struct MarkText {
  std::string operator()(const plot::Rect& rect) const {
    return fmt::format("rect {} {} {} {} fill {} stroke {} pick {}", figure_number(rect.x),
                       figure_number(rect.y), figure_number(rect.width), figure_number(rect.height),
                       rect.fill ? color_text(*rect.fill) : "-", rect.stroke ? color_text(*rect.stroke) : "-",
                       rect.pick ? static_cast<int>(*rect.pick) : -1);
  }
  std::string operator()(const plot::Line& line) const {
    return fmt::format("line {} {} {} {} {}", figure_number(line.x1), figure_number(line.y1),
                       figure_number(line.x2), figure_number(line.y2), color_text(line.color));
  }
  std::string operator()(const plot::Label& label) const {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    constexpr const char* kFaces[] = {"regular", "strong", "mono"};
    return fmt::format("label {} {} {} {} {} {} '{}'", figure_number(label.x), figure_number(label.y),
                       figure_number(label.size), kAnchors[static_cast<int>(label.anchor)],
                       kFaces[static_cast<int>(label.face)], color_text(label.color), label.text);
  }
  std::string operator()(const plot::Cells& cells) const {
    uint64_t sum = 0;  // distinguishes two images without listing them
    for (size_t n = 0; n < cells.value.size(); ++n) sum = sum * 31 + cells.value[n];
    return fmt::format("cells {} {} {} {} rows {} columns {} maximum {} {} values {:016x}",
                       figure_number(cells.x), figure_number(cells.y), figure_number(cells.width),
                       figure_number(cells.height), cells.rows, cells.columns, cells.maximum,
                       cells.scale == plot::Cells::Scale::Kind ? "kind" : "amount", sum);
  }
};

struct ValueText {
  std::string operator()(int64_t value) const { return fmt::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{:.3f}", value); }
  std::string operator()(const std::string& value) const { return "'" + value + "'"; }
};

inline std::string figure_text(const plot::Figure& figure) {
  std::string text = fmt::format(
      "figure {}\ntitle {}\nsubtitle {}\nprovenance {}\nsource {}\nexplanation {}\n", figure.name,
      figure.title, figure.subtitle, name_of(figure.provenance), figure.source, figure.explanation);
  text += fmt::format("size {} x {}\n", figure.size.width, figure.size.height);
  for (const plot::Headline& headline : figure.headlines) {
    text +=
        fmt::format("headline {} | {} | {}\n", headline.value, headline.label, color_text(headline.color));
  }
  text += "\ntable";
  for (const plot::Column& column : figure.table.columns)
    text += fmt::format(" {}[{}]", column.name, column.unit);
  text += '\n';
  for (const auto& row : figure.table.rows) {
    text += " ";
    for (const plot::TableValue& value : row) text += ' ' + std::visit(ValueText{}, value);
    text += '\n';
  }
  text += "\nmarks\n";
  for (const plot::Mark& mark : figure.marks) text += "  " + std::visit(MarkText{}, mark) + '\n';
  text += "\npicks\n";
  for (size_t n = 0; n < figure.picks.size(); ++n) {
    const plot::Pick& pick = figure.picks[n];
    text += fmt::format("  {} lanes {:08x} '{}'", n, pick.lanes.bits, pick.tip);
    if (pick.block) text += fmt::format(" block {}", pick.block->value);
    if (pick.access) text += fmt::format(" access {}", *pick.access);
    if (pick.site) text += fmt::format(" site {}", pick.site->value);
    text += '\n';
  }
  return text;
}

}  // namespace lanescope::tests
