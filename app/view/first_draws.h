// Spreads the panels' first drawings of a run over several frames. Method: in a frame that has taken its time
// already, a panel that never drew a run stays empty; one panel is drawn in each frame. A browser compiles
// code when it is called first, so that all panels in one frame stopped a page for more than a tenth of a
// second. Test: tests/gui/first_draws_test.cpp

#pragma once

#include "view/panel_table.h"

#include <array>
#include <chrono>
#include <limits>

namespace lanescope::view {

class FirstDraws {
 public:
  /// From now on a frame takes about so long. Before, all panels are drawn in one frame.
  void spread(double seconds_per_frame) { limit_ = seconds_per_frame; }
  void begin_frame();
  /// Whether the panel draws what it has of the run in this frame. For each panel in sight, once a frame.
  bool may_draw(PanelId id);
  /// Whether a panel stayed empty in this frame, so that another frame is to follow.
  bool go_on() const { return is_waiting_; }

 private:
  double limit_ = std::numeric_limits<double>::infinity();  // seconds
  std::chrono::steady_clock::time_point frame_began_{};
  std::array<bool, kPanels> has_drawn_{};  // [PanelId]
  bool is_first_ = true;                   // no panel was drawn for its first time in this frame
  bool is_waiting_ = false;
};

}  // namespace lanescope::view
