// The bar at the top: lesson and kernel, toggles, device, provenance, language, look, export, help.
// Method: groups are measured first, with the widest of their values, so that no choice moves anything; where
// they do not fit, toggles with many choices become menus, and what still does not fit goes to rows below.
// Tests: tests/gui/toggles_test.cpp, tests/gui/layout_test.cpp

#pragma once

#include "view/context.h"
#include "view/keys.h"
#include "view/preferences.h"

#include <optional>

namespace lanescope::view {

struct ToolbarRequests {
  bool help = false;
  bool reset_layout = false;
  bool export_window = false;
  KeyRequests::Copy copy = KeyRequests::Copy::Nothing;
  bool open = false;
  bool save_session = false;
  bool save_trace = false;
  bool add_to_lecture = false;
  bool export_lecture = false;
  std::optional<PanelId> enlarge;  // is to fill the place of all panels
};

class Toolbar {
 public:
  /// Draws at the cursor of the current window.
  ToolbarRequests draw(const Context& context, Preferences& preferences);
  /// The bar for a class, in one row: kernel, the toggles that apply as far as there is room, and the view.
  ToolbarRequests draw_thin(const Context& context, Preferences& preferences);
  /// Rows that the bar needs in `width` pixels.
  int rows(const Context& context, float width);

 private:
  struct Plan {
    enum class Start : uint8_t { Beside, Below };  // the rest of the first row
    int menus = 0;                                 // toggles, from the longest on, that are drawn as menus
    int rows = 1;
    Start start = Start::Beside;  // of the toggles
  };
  Plan plan(const Context& context, float width) const;

  Plan plan_;
};

}  // namespace lanescope::view
