// The labelled choices in the toolbar, the lesson's toggles and the device: as segments, or as menus where
// room is short.

#pragma once

#include "view/context.h"
#include "view/widgets.h"

#include <string>
#include <vector>

namespace lanescope::view {

/// A labelled choice in the bar.
struct Group {
  const lesson::Toggle* toggle = nullptr;  // null: the device
  std::string label;
  std::vector<Segment> choices;
  int selected = -1;
  std::string value;  // shown where none of the choices is selected
  bool applies = true;
  bool as_menu = false;
};

/// The toggles of the lesson and the device, in the order of the bar.
std::vector<Group> groups_of(const Context& context);
/// Makes menus of those that prefer it, and of `menus` more, from the right.
void make_menus(std::vector<Group>& groups, int menus);
/// Pixels that a group takes, with the gap after it.
float width_of(const Theme& theme, const Group& group);
/// Draws at the cursor.
void draw_group(const Context& context, const Group& group);

/// How a button of a list looks.
struct MenuButton {
  Face face = Face::Regular;
  float most_label = 0;         // ems after which the label is cut; 0: never
  float width = 0;              // pixels; 0: those of the label
  bool is_lit = false;          // as a setting that is on
  std::string_view group = {};  // the words before it, for who hears them
};
/// Pixels that the button takes.
float menu_button_width(const Theme& theme, const std::string& value, const MenuButton& button = {});
/// A button that shows `value` and opens a list, as begin_list() does.
bool begin_menu_button(const Theme& theme, const char* id, const std::string& value,
                       const MenuButton& button = {});
/// The list below a button, which opens where `pressed`, as begin_list() does.
bool begin_list_below(const Theme& theme, const char* id, const ImRect& button, bool pressed);

}  // namespace lanescope::view
