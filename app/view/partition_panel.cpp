// Which DRAM partitions the blocks use, in launch order. Test: tests/gui/toggles_test.cpp

#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <functional>

namespace lanescope::view {
namespace {

class PartitionPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
};

}  // namespace

void PartitionPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.run->partitions) {
    view_.clear();
    draw_header(context, {.subtitle = now.choices.device.title});
    empty_state(context.theme, context.text(Text::window_no_partitions), now.run->partitions_reason);
    return;
  }
  view_.draw(context, {.version = {now.run_generation, std::hash<std::string>()(now.choices.device.name)},
                       .make = [&](const plot::Frame& frame) {
                         return plot::partition_figure(*now.run->trace, *now.run->partitions,
                                                       now.choices.device, frame);
                       }});
}

std::unique_ptr<Panel> make_partitions_panel() { return std::make_unique<PartitionPanel>(); }

}  // namespace lanescope::view
