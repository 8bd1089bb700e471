// Draws a panel twice, for the pinned run A and the present run B: side by side, or one above the other where
// that is too narrow. Method: a panel is a function of a snapshot, so A has panel objects of its own with A's
// snapshot in their context. What is hovered in one is shown in both, and figures share their scales.
// Test: tests/gui/comparison_test.cpp

#pragma once

#include "view/panel.h"

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace lanescope::view {

class Comparison {
 public:
  /// Whether the panel shows both runs now.
  static bool shows_both(const Context& context);
  /// Fills the current window. `draw_present` draws the present run's panel with the context that it gets.
  void draw(const Context& context, const Panel& present,
            const std::function<void(const Context&)>& draw_present);
  /// A's accesses in a row above those of B, which the window's child "timeline" shows below `bottom`.
  void draw_timeline(const Context& context, float bottom);
  /// What A's panel drew last; null if it was not drawn.
  const plot::Figure* figure_of_a(PanelId id) const;
  static float timeline_height(const Theme& theme) { return theme.em(2.6f); }

 private:
  Panel& panel_of_a(PanelId id);

  std::array<std::unique_ptr<Panel>, kPanels> panels_;  // [PanelId] of A, as far as they were drawn
  FigureView timeline_;
};

}  // namespace lanescope::view
