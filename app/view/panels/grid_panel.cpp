// The whole grid, each block colored by what its accesses cost. A click selects the block.
// Test: tests/gui/warps_panel_test.cpp

#include "model/block_costs.h"
#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {
namespace {

using plot::BlockMeasure;

class GridPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  void draw_measures(const Context& context, const std::vector<BlockMeasure>& measures);

  bool asked_ = false;  // the costs are added up only once the panel is looked at
  BlockMeasure measure_ = BlockMeasure::Sectors;
};

}  // namespace

void GridPanel::draw_measures(const Context& context, const std::vector<BlockMeasure>& measures) {
  std::vector<Segment> choices;
  for (const BlockMeasure measure : measures)
    choices.push_back({std::to_string(static_cast<int>(measure)),
                       std::string(context.text(plot::unit_of(measure, context.now.block_costs->units))),
                       ""});
  const auto chosen = std::ranges::find(measures, measure_) - measures.begin();
  const int pressed = segments(context.theme, "grid_measure", choices, static_cast<int>(chosen));
  if (pressed >= 0) measure_ = measures[static_cast<size_t>(pressed)];
}

void GridPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!asked_) context.post(session::ShowBlockCosts{});
  asked_ = true;
  if (!now.block_costs) return draw_no_figure(context, Text::window_working, Text::window_working_on);
  if (now.block_costs->blocks.empty())
    return draw_no_figure(context, Text::window_no_costs, Text::window_no_costs_why);
  const std::vector<BlockMeasure> measures = plot::measures_of(*now.block_costs);
  if (std::ranges::find(measures, measure_) == measures.end()) measure_ = measures.front();
  view_.draw(
      context,
      {.version = {now.run_generation, now.selection.cta.value, static_cast<uint64_t>(measure_)},
       .make =
           [&](const plot::Frame& frame) {
             return plot::grid_figure(*now.run->trace, *now.block_costs, measure_, now.selection.cta, frame);
           },
       .above =
           measures.size() > 1 ? std::function<void()>([&] { draw_measures(context, measures); }) : nullptr});
}

std::unique_ptr<Panel> make_grid_panel() { return std::make_unique<GridPanel>(); }

}  // namespace lanescope::view
