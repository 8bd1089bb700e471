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
  std::array<bool, kPanels> shown = [] {
    std::array<bool, kPanels> all{};
    all.fill(true);
    return all;
  }();  // [PanelId]

  std::vector<std::string> recent;  // paths of files that were opened, the newest first

  bool shows(PanelId panel) const { return shown[static_cast<size_t>(panel)]; }
};

}  // namespace lanescope::view
