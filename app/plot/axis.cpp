#include "plot/axis.h"

#include "plot/text_width.h"

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

uint32_t number_at(const Axis& axis, uint32_t position) { return axis.first + position * axis.each; }

uint32_t next_step(uint32_t step, Steps steps) {
  if (steps == Steps::Binary) return step * 2;
  uint32_t leading = step;
  while (leading >= 10) leading /= 10;
  return leading == 2 ? step / 2 * 5 : step * 2;  // 1, 2, 5, 10, 20, 50
}

}  // namespace

uint32_t tick_step(float extent, float spacing, Steps steps, float gap) {
  constexpr uint32_t kMost = 1u << 30;
  uint32_t step = 1;
  while (step < kMost && static_cast<float>(step) * spacing < extent + gap) step = next_step(step, steps);
  return step;
}

void add_ticks_along(Sheet& sheet, const Axis& axis, float y) {
  if (axis.count == 0) return;
  const float size = sheet.type().small;
  const std::string widest = fmt::to_string(number_at(axis, axis.count - 1));
  const float extent = text_width(widest, size, Label::Face::Regular);
  const uint32_t step = tick_step(extent, axis.spacing, axis.steps, size * 0.6f);
  for (uint32_t n = 0; n < axis.count; n += step) {
    sheet.place({.x = axis.start + (static_cast<float>(n) + 0.5f) * axis.spacing,
                 .y = y,
                 .text = fmt::to_string(number_at(axis, n)),
                 .size = size,
                 .color = Color::of(Role::Dim),
                 .anchor = Label::Anchor::Middle});
  }
}

void add_ticks_down(Sheet& sheet, const Axis& axis, float x, const char* prefix) {
  const float size = sheet.type().small;
  constexpr float kGap = 0.15f;  // of the size
  uint32_t step = tick_step(size, axis.spacing, axis.steps, size * kGap);
  // Where there is room for two, the ends are named.
  const float between_ends = static_cast<float>(axis.count - 1) * axis.spacing;
  if (axis.count > 1 && step >= axis.count && between_ends >= size * (1 + kGap)) step = axis.count - 1;
  for (uint32_t n = 0; n < axis.count; n += step) {
    sheet.place({.x = x,
                 .y = axis.start + (static_cast<float>(n) + 0.5f) * axis.spacing,
                 .text = fmt::format("{}{}", prefix, number_at(axis, n)),
                 .size = size,
                 .color = Color::of(Role::Dim),
                 .anchor = Label::Anchor::End});
  }
}

void add_axis_title(Sheet& sheet, const std::string& text, float x, float y) {
  sheet.place({.x = x - 0.5f * sheet.type().small,
               .y = y,
               .text = text,
               .size = sheet.type().small,
               .color = Color::of(Role::Ink),
               .anchor = Label::Anchor::End});
}

}  // namespace lanescope::plot
