// Which DRAM partitions the blocks use, in launch order. Test: tests/gui/lesson_test.cpp

#include "view/panel_header.h"
#include "view/panels.h"
#include "view/widgets.h"

#include <array>
#include <functional>

namespace lanescope::view {

void PartitionPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::partitions)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.run->partitions) {
    view_.clear();
    draw_header(context, {.title = context.text(Text::partitions),
                          .subtitle = now.device.title,
                          .provenance = {},
                          .source = {}});
    empty_state(context.theme, context.text(Text::window_no_partitions), now.run->partitions_reason);
    return;
  }
  static constexpr auto kHints = std::to_array<std::string_view>({"order", "size"});
  view_.draw(context, {.version = {now.run_generation, std::hash<std::string>()(now.device.name)},
                       .make =
                           [&](const plot::Frame& frame) {
                             return plot::partition_figure(*now.run->trace, *now.run->partitions, now.device,
                                                           frame);
                           },
                       .hints = kHints,
                       .parts = Parts::All,
                       .beside = {},
                       .above = {},
                       .describe_cell = {}});
}

}  // namespace lanescope::view
