// Requests, sectors and wavefronts of each memory instruction over the whole grid. A click goes to its line.
// Test: tests/gui/lesson_test.cpp

#include "view/panels.h"

namespace lanescope::view {

void TotalsPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::totals)) return view_.clear();
  const session::Snapshot& now = context.now;
  view_.draw(context,
             {.version = {now.run_generation},
              .make = [&](const plot::Frame& frame) { return plot::totals_figure(*now.run->trace, frame); },
              .hints = {},
              .parts = Parts::All,
              .beside = {},
              .above = {},
              .describe_cell = {}});
}

}  // namespace lanescope::view
