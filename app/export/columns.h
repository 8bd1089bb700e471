// Tables of the text reports. Tests: tests/cli

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::exporting {

enum class Align : uint8_t { Left, Right };

/// Code points of UTF-8: what a cell takes on a terminal, but for wide scripts.
inline size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Text in columns that are as wide as their widest cell, two spaces between them.
class Columns {
 public:
  explicit Columns(std::vector<Align> aligns) : aligns_(std::move(aligns)) {}
  /// Number of lines, that of the headings among them.
  size_t size() const { return lines_.size(); }
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  /// `paint(line, column, text)` gives a padded cell its color.
  template <class Paint>
  std::string text(const Paint& paint) const {
    std::vector<size_t> widths(aligns_.size(), 0);
    for (const auto& cells : lines_)
      for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
    std::string all;
    for (size_t n = 0; n < lines_.size(); ++n) {
      std::string line;
      for (size_t i = 0; i < lines_[n].size(); ++i) {
        const std::string& cell = lines_[n][i];
        const std::string space(widths[i] - width_of(cell), ' ');
        const std::string painted = paint(n, i, cell);
        if (i != 0) line += "  ";
        line += aligns_[i] == Align::Right ? space + painted : painted + space;
      }
      all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return all;
  }
  std::string text() const {
    return text([](size_t, size_t, const std::string& cell) { return cell; });
  }

 private:
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace lanescope::exporting
