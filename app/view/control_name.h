// The name of the control that has the keyboard focus, which the page tells a screen reader: a window that is
// drawn has no elements that a reader could ask. Method: a control names itself after its item, and of the
// focused one the name is kept until the next frame; io.UserData of Dear ImGui has where.
// Test: tests/gui/keyboard_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::view {

struct ControlName {
  std::string panel;       // its title; empty: of a bar or a dialog
  std::string name;        // as the control shows it, else what its tip says; empty: nothing has the focus
  bool is_chosen = false;  // of several that exclude each other, or a mark that is set
  bool operator==(const ControlName&) const = default;
};

/// Names the item of Dear ImGui that was drawn last. `group`: the words before a row of choices.
void name_control(std::string_view name, bool is_chosen = false, std::string_view group = {});

}  // namespace lanescope::view
