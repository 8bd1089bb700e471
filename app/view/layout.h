// The default layouts of the panels, and which dock nodes are on screen.

#pragma once

#include "view/imgui.h"
#include "view/panel_table.h"

#include <functional>
#include <span>
#include <vector>

namespace lanescope::view {

enum class Arrangement {
  Wide,     // source and lesson on the left; banks and sectors above; blocks, partitions and totals below
  Compact,  // fewer places, more tabs: a small window, or text for a projector
  Turns,    // source on the left, one large panel at a time on the right: a small projector
  Own       // the user's
};

/// What suits a dock space of this size, in ems of the text.
constexpr Arrangement arrangement_for(ImVec2 ems) {
  if (ems.x < 72 || ems.y < 24) return Arrangement::Turns;
  return ems.x < 84 ? Arrangement::Compact : Arrangement::Wide;
}

/// What the shown run is about, and what it has nothing for.
struct PanelEmphasis {
  std::vector<PanelId> front;  // take the largest places, in their order, and are in front there
  std::vector<PanelId> empty;  // leave a place of their own to a panel that has something to show
  bool operator==(const PanelEmphasis&) const = default;
};

/// Puts the panels into the dock space `id`. Does nothing for Own.
void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement,
                    const PanelEmphasis& emphasis);

/// Brings panels to the front where they are docked.
void select_panels(std::span<const PanelId> front);

/// A number that changes when the user docks a panel elsewhere.
ImGuiID places_of_panels();

/// Calls f for each leaf of the dock space that shows a window, as the last frame left it.
void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f);

}  // namespace lanescope::view
