// The sheet that a figure is drawn on: it takes marks, and refuses a label that would cross the edge or
// another label. What matters most is therefore placed first; what finds no room is left out.
// Tests: tests/unit/plot/sheet_test.cpp

#pragma once

#include "plot/figure.h"
#include "plot/figures.h"

#include <string>
#include <vector>

namespace lanescope::plot {

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
};

/// Where a label will be: as wide as estimated, one em high.
Box box_of(const Label& label);
bool overlap(const Box& a, const Box& b);

/// Sizes of type in a frame, in points.
struct Type {
  float text = 13;     // ordinary
  float small = 11;    // ticks and captions
  float least = 9.1f;  // numbers in cells: smaller ones are left out
};
Type type_of(const Frame& frame);

class Sheet {
 public:
  /// `figure` gets the frame's size, language and text height; it must outlive the sheet.
  Sheet(Figure& figure, const Frame& frame);

  const Type& type() const { return type_; }
  float width() const { return figure_.size.width; }
  float height() const { return figure_.size.height; }

  /// Index of the new pick.
  size_t add(Pick pick);
  void add(const Rect& rect) { figure_.marks.emplace_back(rect); }
  void add(const Line& line) { figure_.marks.emplace_back(line); }
  void add(Cells cells) { figure_.marks.emplace_back(std::move(cells)); }

  /// Adds the label, unless it would cross the edge or a label placed before. Says whether it was added.
  bool place(const Label& label);
  /// Adds `text` in the middle of `cell`, unless it is too large for it. Cells do not overlap, so neither do
  /// such labels: they are not compared with others.
  bool inscribe(const std::string& text, const Box& cell, float size, Color color,
                Label::Face face = Label::Face::Regular);

 private:
  Figure& figure_;
  Type type_;
  std::vector<Box> taken_;
};

/// The largest size of type, from `most` down to `least`, at which `text` fits into a cell of this extent.
/// Zero if none does.
float fitting_size(const std::string& text, float width, float height, float least, float most,
                   Label::Face face = Label::Face::Regular);

}  // namespace lanescope::plot
