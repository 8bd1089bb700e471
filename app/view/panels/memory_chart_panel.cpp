// The memory chart and the roofline of the run, by the modelled caches. Test:
// tests/gui/memory_chart_panel_test.cpp

#include "plot/figures.h"
#include "view/panel.h"

namespace lanescope::view {
namespace {

/// A panel whose figure needs the caches, which are modelled only once it is looked at.
class CachePanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 protected:
  /// Whether the figure can be made of these caches; else says why not.
  virtual bool can_make(const Context& /*context*/) { return true; }
  virtual Result<plot::Figure> make(const session::Snapshot& now, const plot::Frame& frame) const = 0;

 private:
  bool asked_ = false;
};

class MemoryPanel : public CachePanel {
  Result<plot::Figure> make(const session::Snapshot& now, const plot::Frame& frame) const override {
    return plot::memory_chart_figure(*now.run->trace, *now.run->caches, now.choices.device, frame);
  }
};

class RooflinePanel : public CachePanel {
  bool can_make(const Context& context) override {
    if (context.now.run->caches->is_whole() && context.now.choices.device.bound) return true;
    draw_no_figure(context, Text::window_no_roofline, Text::window_no_roofline_why);
    return false;
  }
  Result<plot::Figure> make(const session::Snapshot& now, const plot::Frame& frame) const override {
    return plot::kernel_roofline_figure(*now.run->trace, *now.run->caches, now.choices.device, frame);
  }
};

}  // namespace

void CachePanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!asked_) context.post(session::ShowCaches{});
  asked_ = true;
  if (!now.choices.device.caches)
    return draw_no_figure(context, Text::window_no_caches, Text::window_no_caches_why);
  if (!now.run->caches)
    return now.busy ? draw_no_figure(context, Text::window_working, Text::window_working_on)
                    : draw_no_figure(context, Text::window_no_requests, Text::window_no_requests_why);
  if (!can_make(context)) return;
  view_.draw(context, {.version = {now.run_generation}, .make = [&](const plot::Frame& frame) {
                         return make(now, frame).value_or(plot::Figure{});
                       }});
}

std::unique_ptr<Panel> make_memory_chart_panel() { return std::make_unique<MemoryPanel>(); }
std::unique_ptr<Panel> make_kernel_roofline_panel() { return std::make_unique<RooflinePanel>(); }

}  // namespace lanescope::view
