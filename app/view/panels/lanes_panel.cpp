// Which lanes are active at each step of the warp: accesses, or instructions while one steps by instruction.
// A click selects the step, a click on a lane pins it. Test: tests/gui/lanes_panel_test.cpp

#include "plot/figures.h"
#include "trace/history.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

namespace lanescope::view {
namespace {

class LanesPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
};

plot::LaneSteps steps_of(const session::WarpHistory& history, LaneMask warp) {
  plot::LaneSteps steps{
      .kind = plot::LaneSteps::Kind::Instructions, .steps = {}, .current = history.instruction, .warp = warp};
  const trace::History& recorded = *history.recorded;
  steps.steps.reserve(recorded.entries.size());
  for (const trace::History::Entry& entry : recorded.entries) {
    const trace::History::Instruction& instruction = recorded.instructions[entry.instruction];
    steps.steps.push_back({entry.lanes, instruction.source.line, instruction.ptx_text});
  }
  return steps;
}

}  // namespace

void LanesPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  const bool by_instruction = context.preferences.step_unit == StepUnit::Instruction && now.history.recorded;
  if (now.selection.timeline.empty() && !by_instruction)
    return draw_no_figure(context, Text::window_no_access, Text::window_other_warp);
  const trace::Trace& trace = *now.run->trace;
  view_.draw(context,
             {.version = {now.generation, by_instruction ? 1u : 0u}, .make = [&](const plot::Frame& frame) {
                const LaneMask warp = plot::lanes_of_warp(trace, now.selection.warp);
                const plot::LaneSteps steps =
                    by_instruction ? steps_of(now.history, warp)
                                   : plot::lane_steps(now.selection.timeline, now.selection.access, warp);
                return plot::lane_figure(steps, trace.provenance, frame);
              }});
}

std::unique_ptr<Panel> make_lanes_panel() { return std::make_unique<LanesPanel>(); }

}  // namespace lanescope::view
