#include "view/first_draws.h"

#include <utility>

namespace lanescope::view {

void FirstDraws::begin_frame() {
  frame_began_ = std::chrono::steady_clock::now();
  is_first_ = true;
  is_waiting_ = false;
}

bool FirstDraws::may_draw(PanelId id) {
  bool& has_drawn = has_drawn_[static_cast<size_t>(id)];
  if (has_drawn) return true;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - frame_began_;
  const bool has_time = std::exchange(is_first_, false) || taken.count() < limit_;
  if (has_time)
    has_drawn = true;
  else
    is_waiting_ = true;
  return has_time;
}

}  // namespace lanescope::view
