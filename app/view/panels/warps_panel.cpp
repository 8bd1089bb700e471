// All warps of the selected block: accesses, barriers and waits, a row for each warp. A click goes to the
// access. Test: tests/gui/warps_panel_test.cpp

#include "model/block_timeline.h"
#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

namespace lanescope::view {
namespace {

class WarpsPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  bool asked_ = false;  // it is made only once the panel is looked at
};

}  // namespace

void WarpsPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!asked_) context.post(session::ShowWarps{});
  asked_ = true;
  if (!now.warps) {
    const bool is_stored = trace::find_block(*now.run->trace, now.selection.cta) != nullptr;
    return is_stored ? draw_no_figure(context, Text::window_working, Text::window_working_on)
                     : draw_no_figure(context, Text::window_no_warps, Text::window_no_warps_why);
  }
  const bool with_costs = !context.prediction.covers(PanelId::Warps);
  const uint64_t place = uint64_t{now.selection.warp.value} << 32 | now.selection.access;
  view_.draw(context,
             {.version = {now.run_generation, now.warps->cta.value, place, with_costs ? 1u : 0u},
              .make = [&](const plot::Frame& frame) {
                return plot::warps_figure(
                    *now.run->trace, *now.warps,
                    {.warp = now.selection.warp, .access = now.selection.access, .with_costs = with_costs},
                    frame);
              }});
}

std::unique_ptr<Panel> make_warps_panel() { return std::make_unique<WarpsPanel>(); }

}  // namespace lanescope::view
