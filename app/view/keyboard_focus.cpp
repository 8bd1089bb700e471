#include "view/keyboard_focus.h"

#include "view/imgui.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lanescope::view {
namespace {

enum class Way { None, Forwards, Backwards };

bool is_behind_its_tab(const ImGuiWindow& window) { return window.DockIsActive && !window.DockTabIsVisible; }

/// Whether Tab has a place to go to there. Of a panel behind its tab nothing is known before it is in front.
bool has_controls(const ImGuiWindow& window) {
  const bool takes_keys =
      window.Active && !(window.Flags & (ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_Tooltip));
  const bool has_items = !window.Hidden && window.DC.NavLayersActiveMaskNext & (1 << ImGuiNavLayer_Main);
  return takes_keys && (has_items || is_behind_its_tab(window));
}

/// The panel or the bar that the window is a part of.
const ImGuiWindow* part_of(const ImGuiWindow* window) {
  return window->RootWindow->DockNode != nullptr ? window->RootWindow : window;
}

/// The title of the panel that the window is a part of; empty: of no panel.
std::string panel_of(const ImGuiWindow* window) {
  if (window == nullptr || window->RootWindow->DockNode == nullptr) return {};
  const std::string_view name = window->RootWindow->Name;
  return std::string(name.substr(0, name.find("##")));
}

/// The bars, then the columns of panels from the left; those that share a place in the order of their tabs.
std::vector<ImGuiWindow*> windows_in_order(const ImGuiContext& gui) {
  std::vector<ImGuiWindow*> windows;
  for (ImGuiWindow* window : gui.Windows)
    if (has_controls(*window) || window == gui.NavWindow) windows.push_back(window);
  std::ranges::stable_sort(windows, {}, [](const ImGuiWindow* window) {
    const ImGuiWindow& root = *window->RootWindow;
    return std::tuple(root.Pos.x, root.Pos.y, root.DockOrder, root.ID, window->Pos.y, window->Pos.x);
  });
  return windows;
}

/// Of a Tab that found no further control in its window in this frame.
Way way_past_the_end(const ImGuiContext& gui) {
  const bool is_open = gui.NavMoveScoringItems && (gui.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing);
  if (!is_open) return Way::None;
  if (gui.NavTabbingDir < 0) return Way::Backwards;
  return gui.NavTabbingDir > 0 && gui.NavMoveResultLocal.ID == 0 ? Way::Forwards : Way::None;
}

/// Whether the control that has the focus is there no more, as a button that what it did has replaced: its
/// window begins again.
bool has_lost_its_control(const ImGuiContext& gui) {
  const bool is_drawn = gui.NavWindow != nullptr && gui.NavWindow->Active && !gui.NavWindow->Hidden;
  return is_drawn && gui.NavId != 0 && !gui.NavIdIsAlive && gui.ActiveId == 0 && !gui.NavMoveSubmitted;
}

Way way_of_f6(const ImGuiContext& gui) {
  if (!ImGui::IsKeyPressed(ImGuiKey_F6, false)) return Way::None;
  return gui.IO.KeyShift ? Way::Backwards : Way::Forwards;
}

}  // namespace

void KeyboardFocus::advance() {
  ImGuiIO& io = ImGui::GetIO();
  had_menu_ = has_menu_;
  io.UserData = &(named_ = {});
  has_menu_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  starts_ = !roams_ && !has_menu() && !io.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Tab, false) &&
            io.KeyMods == ImGuiMod_None;
  const bool ends = (!has_menu() && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ||
                    ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (roams_ && ends) ImGui::SetNavCursorVisible(false);
  roams_ = starts_ || next_ != 0 || (roams_ && !ends);
  if (has_keys())
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  ImGuiWindow* const next = next_ == 0 ? nullptr : ImGui::FindWindowByID(next_);
  if (next == nullptr) return;
  ImGui::FocusWindow(next);
  if (is_behind_its_tab(*next)) return;  // in front in the next frame
  ImGui::NavInitWindow(next, true);
  ImGui::SetNavCursorVisible(true);
  next_ = 0;
}

void KeyboardFocus::go_on() {
  const ImGuiContext& gui = *ImGui::GetCurrentContext();
  named_.panel = has_keys() ? panel_of(gui.NavWindow) : std::string();
  const bool has_control = !named_.name.empty() || !control_.name.empty();  // in this frame or in the last
  control_ = named_;
  if (has_menu() || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  const Way leap = way_of_f6(gui), way = leap != Way::None ? leap : way_past_the_end(gui);
  if (way == Way::None) {
    if (roams_ && !has_control && has_lost_its_control(gui)) next_ = gui.NavWindow->ID;
    return;
  }
  std::vector<ImGuiWindow*> windows = windows_in_order(gui);
  if (leap != Way::None) {
    const auto further = std::ranges::unique(windows, {}, part_of);
    windows.erase(further.begin(), further.end());
  }
  if (windows.empty()) return;
  ImGui::NavMoveRequestCancel();
  const auto is_here = [&](const ImGuiWindow* window) {
    return window == gui.NavWindow || (leap != Way::None && part_of(window) == part_of(gui.NavWindow));
  };
  const auto here =
      roams_ && gui.NavWindow != nullptr ? std::ranges::find_if(windows, is_here) : windows.end();
  const size_t count = windows.size(), index = static_cast<size_t>(here - windows.begin());
  const size_t next = here == windows.end() ? 0 : (index + (way == Way::Forwards ? 1 : count - 1)) % count;
  next_ = windows[next]->ID;
}

}  // namespace lanescope::view
