// Where the panels stand at first, and which dock nodes are on screen.

#pragma once

#include "view/imgui.h"

#include <functional>

namespace lanescope::view {

/// Puts the panels into the dock space `id`: source on the left, banks and sectors above, blocks, partitions
/// and totals below.
void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size);

/// Calls f for each leaf of the dock space that shows a window, as the last frame left it.
void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f);

}  // namespace lanescope::view
