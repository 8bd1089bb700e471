// What was pressed last, in large letters in the bar for a short time, once more when a run that took longer
// is shown: a class that looks at the figures sees which setting changed them. Test: tests/gui/stage_test.cpp

#pragma once

#include "view/context.h"

#include <map>
#include <string>

namespace lanescope::view {

class Announcement {
 public:
  /// Compares the settings with those of the last frame.
  void follow(const Context& context);
  /// Over the bar `box` of the current window, while there is something to say.
  void draw(const Theme& theme, const ImRect& box) const;
  /// "Padding 1"; empty: nothing now.
  std::string_view text() const;
  /// When it changes by itself, by Dear ImGui's clock; nothing: it does not.
  std::optional<double> moves_at() const;

 private:
  uint64_t openings_ = 0;
  std::map<std::string, std::string> settings_;  // [toggle, "kernel" or "device"]: its value
  std::string text_;
  double until_ = 0;
  bool waits_for_run_ = false;
};

}  // namespace lanescope::view
