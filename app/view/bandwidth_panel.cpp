// Measured or recorded bandwidth of the lesson's kernels. Test: tests/gui/toggles_test.cpp

#include "view/panel_header.h"
#include "view/panels.h"
#include "view/widgets.h"

#include <array>

namespace lanescope::view {

void BandwidthPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::figure_bandwidth)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.bandwidth) {
    view_.clear();
    draw_header(
        context,
        {.title = context.text(Text::figure_bandwidth), .subtitle = {}, .provenance = {}, .source = {}});
    empty_state(context.theme, context.text(Text::window_no_recording),
                context.text(Text::window_no_recording_why));
    return;
  }
  static constexpr auto kHints = std::to_array<std::string_view>({"padding", "size"});
  view_.draw(context,
             {.version = now.run_generation,
              .make = [&](const plot::Frame& frame) { return plot::bandwidth_figure(*now.bandwidth, frame); },
              .hints = kHints,
              .parts = Parts::All,
              .beside = {},
              .above = {},
              .describe_cell = {}});
}

}  // namespace lanescope::view
