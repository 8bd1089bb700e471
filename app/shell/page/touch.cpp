// Module.scrollsAt of start.js, for touch.js: whether a finger that moves up or down there scrolls a panel.

#include "view/imgui.h"

#include <emscripten.h>

/// Of the window of Dear ImGui at this place, in CSS pixels, or one that it is part of. A scrollbar is
/// dragged.
extern "C" EMSCRIPTEN_KEEPALIVE int lanescope_scrolls_at(float x, float y) {
  if (ImGui::GetCurrentContext() == nullptr) return 0;
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx({x, y}, true, &window, nullptr);
  for (; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax.y > 0) return !window->ScrollbarY || x < window->InnerRect.Max.x ? 1 : 0;
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) return 0;
  }
  return 0;
}
