// Requests, sectors and wavefronts of each memory instruction over the whole grid. A click goes to its line.
// Test: tests/gui/export_test.cpp

#include "plot/figures.h"
#include "view/panel.h"

#include <optional>

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
  const pipeline::Run* against = context.compared != nullptr ? context.compared->against : nullptr;
  const auto totals_of = [](const pipeline::Run& run) {
    return plot::RunTotals{*run.trace, pipeline::totals_of(run), pipeline::units_of(run)};
  };
  view_.draw(context,
             {.version = {now.generation, reinterpret_cast<uintptr_t>(against)},
              .make = [&](const plot::Frame& frame) {
                const auto in_a = against != nullptr ? std::optional(totals_of(*against)) : std::nullopt;
                plot::Figure figure =
                    plot::totals_figure(totals_of(*now.run), frame, in_a ? &*in_a : nullptr);
                if (now.selection.units != pipeline::units_of(*now.run))
                  figure.subtitle += (figure.subtitle.empty() ? "" : " · ") +
                                     context.phrase(Text::window_totals_rules, now.choices.device.title);
                return figure;
              }});
}

std::unique_ptr<Panel> make_totals_panel() { return std::make_unique<TotalsPanel>(); }

}  // namespace lanescope::view
