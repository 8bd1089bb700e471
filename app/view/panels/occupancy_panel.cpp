// Resident warps of a multiprocessor, and what they would be otherwise. Test:
// tests/gui/memory_chart_panel_test.cpp

#include "plot/figures.h"
#include "view/panel.h"

namespace lanescope::view {
namespace {

class OccupancyPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
};

}  // namespace

void OccupancyPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  view_.draw(context, {.version = {now.run_generation}, .make = [&](const plot::Frame& frame) {
                         return plot::occupancy_figure(*now.run->trace, now.choices.device, frame);
                       }});
}

std::unique_ptr<Panel> make_occupancy_panel() { return std::make_unique<OccupancyPanel>(); }

}  // namespace lanescope::view
