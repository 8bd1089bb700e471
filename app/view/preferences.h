// What the user sets in the window and settings keep: look and arrangement. The rest of the state belongs to
// the session.

#pragma once

#include "view/panel_table.h"
#include "view/theme.h"

#include <array>
#include <string>
#include <vector>

namespace lanescope::view {

struct Preferences {
  plot::Theme mode = plot::Theme::Light;
  float text = kOrdinaryText;  // points
  bool is_projected = false;   // the text grows with the window instead
  bool has_stepped = false;    // the person knows how
  bool shows_frame_rate = false;
  std::array<bool, kPanels> shown = [] {
    std::array<bool, kPanels> all{};
    all.fill(true);
    return all;
  }();  // [PanelId]

  std::vector<std::string> recent;  // paths of files that were opened, the newest first

  bool operator==(const Preferences&) const = default;
  bool shows(PanelId panel) const { return shown[static_cast<size_t>(panel)]; }
};

/// The text in a window of this height in points.
inline float text_size(const Preferences& preferences, float height) {
  return preferences.is_projected ? projector_text(height) : preferences.text;
}

}  // namespace lanescope::view
