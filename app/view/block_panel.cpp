// The tiles of input and output with the numbers of the blocks that touch them. A click selects the block.
// Test: tests/gui/lesson_test.cpp

#include "view/panel_header.h"
#include "view/panels.h"
#include "view/widgets.h"

#include <array>
#include <functional>

namespace lanescope::view {

void BlockPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::blocks)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.run->tiles || now.run->tiles->empty()) {
    view_.clear();
    draw_header(context,
                {.title = context.text(Text::blocks), .subtitle = {}, .provenance = {}, .source = {}});
    empty_state(context.theme, context.text(Text::window_no_matrix),
                context.text(Text::window_no_matrix_why));
    return;
  }
  static constexpr auto kHints = std::to_array<std::string_view>({"order", "tile", "size"});
  const uint64_t device = std::hash<std::string>()(now.device.name);
  view_.draw(context, {.version = (now.run_generation * 31 + device) * 31 + now.cta.value,
                       .make =
                           [&](const plot::Frame& frame) {
                             return plot::block_figure(*now.run->trace, *now.run->tiles, now.device, now.cta,
                                                       frame);
                           },
                       .hints = kHints,
                       .parts = Parts::All,
                       .beside = {},
                       .above = {},
                       .describe_cell = {}});
}

}  // namespace lanescope::view
