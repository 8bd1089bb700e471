// Requests, sectors and wavefronts of each memory instruction over the whole grid. A click goes to its line.
// Test: tests/gui/export_test.cpp

#include "plot/figures.h"
#include "view/panel.h"

namespace lanescope::view {
namespace {

class TotalsPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
};

}  // namespace

void TotalsPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  const trace::Trace* against = context.compared != nullptr ? context.compared->against : nullptr;
  view_.draw(context, {.version = {now.generation, reinterpret_cast<uintptr_t>(against)},
                       .make = [&](const plot::Frame& frame) {
                         plot::Figure figure = plot::totals_figure(*now.run->trace, frame, against);
                         if (now.selection.units == model::CostUnits::Transactions)
                           figure.subtitle +=
                               (figure.subtitle.empty() ? "" : " · ") +
                               context.phrase(Text::window_totals_rules, now.choices.device.title);
                         return figure;
                       }});
}

std::unique_ptr<Panel> make_totals_panel() { return std::make_unique<TotalsPanel>(); }

}  // namespace lanescope::view
