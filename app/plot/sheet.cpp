#include "plot/sheet.h"

#include "plot/text_width.h"

#include <algorithm>

namespace lanescope::plot {
namespace {

constexpr float kPadding = 1;        // between a number and the edge of its cell
constexpr float kLeastPoints = 8;    // nothing is written smaller
constexpr float kTolerance = 0.01f;  // of floats that ought to be equal

}  // namespace

Box box_of(const Label& label) {
  const float width = text_width(label.text, label.size, label.face);
  const float before = label.anchor == Label::Anchor::Start    ? 0
                       : label.anchor == Label::Anchor::Middle ? width / 2
                                                               : width;
  return {label.x - before, label.y - label.size / 2, width, label.size};
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() - kTolerance && b.x < a.right() - kTolerance && a.y < b.bottom() - kTolerance &&
         b.y < a.bottom() - kTolerance;
}

Type type_of(const Frame& frame) {
  const float text = std::max(frame.text, kLeastPoints);
  return {.text = text,
          .small = std::max(0.88f * text, kLeastPoints),
          .least = std::max(0.7f * text, kLeastPoints)};
}

Sheet::Sheet(Figure& figure, const Frame& frame) : figure_(figure), type_(type_of(frame)) {
  figure_.size = frame.size;
  figure_.language = frame.language;
  figure_.text = type_.text;
}

size_t Sheet::add(Pick pick) {
  figure_.picks.push_back(std::move(pick));
  return figure_.picks.size() - 1;
}

bool Sheet::place(const Label& label) {
  if (label.text.empty()) return false;
  const Box box = box_of(label);
  if (box.x < -kTolerance || box.y < -kTolerance || box.right() > width() + kTolerance ||
      box.bottom() > height() + kTolerance) {
    return false;
  }
  for (const Box& other : taken_) {
    if (overlap(box, other)) return false;
  }
  taken_.push_back(box);
  figure_.marks.emplace_back(label);
  return true;
}

bool Sheet::inscribe(const std::string& text, const Box& cell, float size, Color color, Label::Face face) {
  if (fitting_size(text, cell.width, cell.height, size, size, face) <= 0) return false;
  figure_.marks.emplace_back(Label{.x = cell.x + cell.width / 2,
                                   .y = cell.y + cell.height / 2,
                                   .text = text,
                                   .size = size,
                                   .color = color,
                                   .anchor = Label::Anchor::Middle,
                                   .face = face});
  return true;
}

float fitting_size(const std::string& text, float width, float height, float least, float most,
                   Label::Face face) {
  const float unit = text_width(text, 1, face);
  if (unit <= 0) return 0;
  const float size = std::min({most, (width - 2 * kPadding) / unit, height});
  return size + kTolerance >= least ? size : 0;
}

}  // namespace lanescope::plot
