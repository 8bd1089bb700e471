// Which DRAM partitions the blocks use, in launch order. Test: tests/gui/toggles_test.cpp

#include "plot/figures.h"
#include "session/settings_text.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <functional>
#include <string>

namespace lanescope::view {
namespace {

using DeviceName = session::Available::DeviceName;

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
    // The first of the newest ones.
    const auto mapped = std::ranges::max_element(now.available.devices, {}, [](const DeviceName& device) {
      return device.has_partition_map ? device.compute_capability : 0;
    });
    const bool has_other = mapped != now.available.devices.end() && mapped->has_partition_map;
    const std::string offer =
        has_other ? context.phrase(Text::window_show_partitions_of, session::device_label(mapped->name)) : "";
    if (empty_state(context.theme, context.text(Text::window_no_partitions),
                    context.phrase(Text::window_no_partitions_why, now.choices.device.title), offer))
      context.post(session::SetDevice{mapped->name});
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
