// Buffers as images, before and after the run, drawn by a shader. Test: tests/gui/panel_test.cpp

#include "model/value_map.h"
#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

namespace lanescope::view {
namespace {

class ValuesPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  bool asked_ = false;  // images are made only once the panel is looked at
};

}  // namespace

void ValuesPanel::draw(const Context& context) {
  if (draw_no_run(context) ||
      draw_not_saved(context, Text::window_trace_no_buffers, Text::window_trace_no_buffers_why))
    return view_.clear();
  const session::Snapshot& now = context.now;
  if (!asked_) context.post(session::ShowValues{});
  asked_ = true;
  if (!now.values) return draw_no_figure(context, Text::window_working, Text::window_working_on);
  if (now.values->empty()) return draw_no_figure(context, Text::window_no_matrix, Text::window_no_matrix_why);
  view_.draw(context, {.version = {now.run_generation}, .make = [&](const plot::Frame& frame) {
                         return plot::values_figure(*now.values, now.run->trace->provenance, frame);
                       }});
}

std::unique_ptr<Panel> make_values_panel() { return std::make_unique<ValuesPanel>(); }

}  // namespace lanescope::view
