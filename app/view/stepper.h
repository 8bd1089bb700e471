// The bar at the bottom: stepping through the accesses of a warp, choosing block and warp, and the time line
// of what the warp did. Playing posts one step after the other. Test: tests/gui/stepping_test.cpp

#pragma once

#include "view/figure_view.h"

#include <string>

namespace lanescope::view {

class Stepper {
 public:
  /// Fills the current window.
  void draw(const Context& context);
  void toggle_play(const Context& context);
  bool playing() const { return playing_; }
  /// One step on when it is time, whether the bar is in sight or not.
  void advance(const Context& context);
  const FigureView& view() const { return view_; }
  /// Height that the bar wants, in pixels.
  static float height(const Theme& theme);

 private:
  void draw_transport(const Context& context);
  void draw_place(const Context& context);

  FigureView view_;
  bool playing_ = false;
  double next_step_ = 0;  // time of Dear ImGui's clock
  char block_text_[32] = "";
  bool editing_ = false;
};

/// "3, 1" or "35" as a block of `grid`; nothing if it is none.
std::optional<CtaId> parse_block(std::string_view text, Dim3 grid);

}  // namespace lanescope::view
