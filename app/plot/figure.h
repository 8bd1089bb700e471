// A figure as data: what is drawn, what may be picked, its numbers, and where they come from.
// Method: a plot function turns a model's result into marks (rectangles, lines, text, images) in a given
// size, with colors by meaning. The window draws the marks, export writes the same marks: a file is what the
// screen showed. Coordinates are in points from the top left corner; one point is one pixel at scale 1.
// Tests: tests/unit/plot/*

#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/provenance.h"
#include "base/text.h"
#include "plot/color.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lanescope::plot {

struct Size {
  float width = 0;
  float height = 0;
  bool operator==(const Size&) const = default;
};

/// Neither fill nor stroke: nothing is drawn, but the area may still be picked.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  float radius = 0;
  std::optional<Color> fill = std::nullopt;
  std::optional<Color> stroke = std::nullopt;
  float stroke_width = 1;
  std::optional<size_t> pick = std::nullopt;  // index into Figure::picks
};

struct Line {
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  Color color;
  float width = 1;
  std::optional<size_t> pick = std::nullopt;
};

struct Label {
  enum class Anchor { Start, Middle, End };
  enum class Face { Regular, Strong, Mono };
  float x = 0, y = 0;  // y is the vertical middle of the text
  std::string text;
  float size = 12;  // of the em in points, as CSS and Cairo count (a line of Inter is 1.21 ems high)
  Color color;
  Anchor anchor = Anchor::Start;
  Face face = Face::Regular;
};

/// Many equal cells, one color each: drawn by a shader in the window, as an image in a file.
struct Cells {
  float x = 0, y = 0, width = 0, height = 0;
  uint32_t rows = 0, columns = 0;
  std::vector<uint32_t> value;  // [row][column], 0 is empty
  uint32_t maximum = 0;
  enum class Scale {
    Amount,  // of value v > 0: v / maximum
    Kind,    // kind v - 1 (modulo 8)
    Gray     // from black at 1 to white at `maximum`
  } scale = Scale::Amount;
};

/// Color of a cell that is not empty.
constexpr Color color_of(const Cells& cells, uint32_t value) {
  const auto share = [](uint32_t part, uint32_t whole) {
    return whole == 0 ? 0.0f : static_cast<float>(part) / static_cast<float>(whole);
  };
  switch (cells.scale) {
    case Cells::Scale::Kind:
      return Color::of_kind(value - 1);
    case Cells::Scale::Gray:
      return Color::of_gray(share(value - 1, cells.maximum - 1));
    case Cells::Scale::Amount:
      break;
  }
  return Color::of_amount(share(value, cells.maximum));
}

using Mark = std::variant<Rect, Line, Label, Cells>;

/// The part of a map that is shown: `zoom` 1 shows all of it; `x`, `y` are its upper left corner, in parts of
/// the whole.
struct MapPart {
  double zoom = 1;
  double x = 0, y = 0;
  bool operator==(const MapPart&) const = default;
};

/// A map of which a part can be shown larger: its place, and its size in cells.
struct ZoomArea {
  float x = 0, y = 0, width = 0, height = 0;
  uint32_t columns = 0, rows = 0;  // one row: it is zoomed across only
};

/// What a mark represents: hovering shows `tip` and highlights the same lanes elsewhere; clicking selects.
struct Pick {
  std::string tip = {};
  LaneMask lanes = {};
  std::optional<CtaId> block = std::nullopt;
  std::optional<WarpId> warp = std::nullopt;           // of the selected block
  std::optional<uint32_t> access = std::nullopt;       // position in the list of accesses of that warp
  std::optional<uint32_t> instruction = std::nullopt;  // position in the selected warp's history
  std::optional<SiteId> site = std::nullopt;
};

/// The figure's numbers as a table: CSV and JSON are written from it.
using TableValue = std::variant<int64_t, double, std::string>;
struct Column {
  std::string name;  // snake_case, never translated
  std::string unit;  // "B", "", "wavefronts"
};
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<TableValue>> rows;  // [row][column]
};

/// A number that is shown large next to the figure: 32 wavefronts, 1 ideal, 31 excess.
struct Headline {
  std::string value;
  std::string label;
  Color color;
  std::string tip = {};                         // what the words of the label mean
  std::optional<double> amount = std::nullopt;  // what `value` says: to be compared with another run's
};

/// What two figures must share so that they can be compared by eye: the ends of their axes and color scales,
/// in units of the figure, and what room their names, numbers and rows need. 0: none. The plot function of a
/// figure says what each entry is.
struct Scale {
  std::array<double, 3> ends{};
  std::array<float, 5> room{};
  bool operator==(const Scale&) const = default;
};
/// What has room for both.
constexpr Scale common(const Scale& one, const Scale& other) {
  Scale both = one;
  for (size_t n = 0; n < both.ends.size(); ++n) both.ends[n] = std::max(one.ends[n], other.ends[n]);
  for (size_t n = 0; n < both.room.size(); ++n) both.room[n] = std::max(one.room[n], other.room[n]);
  return both;
}

struct Figure {
  std::string name;      // "banks": the name that `plot --figure` takes
  std::string title;     // translated
  std::string subtitle;  // "line 14 · block (3, 1) · warp 2 · access 5 of 8"
  std::string warning;   // a few words: why the figure is not of a whole run; usually empty
  Provenance provenance = Provenance::Emulated;
  std::string source;  // one sentence: how the numbers came about, which device, which model
  Size size;
  Scale scale;  // that its own data need
  std::vector<Headline> headlines;
  std::vector<Mark> marks;  // drawn in order
  std::vector<Pick> picks;
  std::vector<ZoomArea> zoom_areas;  // which all show Frame::part
  Table table;
  std::string explanation;  // one sentence with the real values; empty if there is nothing to say
  Language language = Language::English;  // of the strings above
  float text = 13;                        // height of ordinary text in points, for text around the marks
};

/// The pick under a point, the topmost mark first; in a gap of up to a point that of the cell next to it.
const Pick* pick_at(const Figure& figure, float x, float y);

}  // namespace lanescope::plot
