// Numbers along the edge of a grid: as many as have room, at round steps.
// Tests: tests/unit/plot/axis_test.cpp

#pragma once

#include "plot/sheet.h"

#include <cstdint>
#include <string>

namespace lanescope::plot {

/// How ticks step: lanes, banks and rows by powers of two, counts of blocks by 1, 2, 5, 10, ...
enum class Steps { Binary, Decimal };

/// The smallest round step at which labels of `extent` points, one per step of `spacing` points, keep `gap`
/// points between them.
uint32_t tick_step(float extent, float spacing, Steps steps, float gap);

/// A run of equally spaced positions along an edge: position n is at `start + (n + 0.5) * spacing`.
struct Axis {
  uint32_t count = 0;
  float start = 0;
  float spacing = 1;
  Steps steps = Steps::Binary;
  uint32_t first = 0;  // number of position 0
  uint32_t each = 1;   // what one position adds to the number
};

/// Tick labels in a row whose vertical middle is `y`, each centered on its position.
void add_ticks_along(Sheet& sheet, const Axis& axis, float y);
/// Tick labels in a column that ends at `x`, each next to its position.
void add_ticks_down(Sheet& sheet, const Axis& axis, float x, const char* prefix = "");

/// The name of an axis, right-aligned before `x`.
void add_axis_title(Sheet& sheet, const std::string& text, float x, float y);

}  // namespace lanescope::plot
