// Where panels are: the default layouts of the docks, and which dock nodes are on screen.
// Method: a list of panels takes the places of figures one by one. Nothing else decides where a panel is, so
// it stays there until another lesson or file brings another list. Test: tests/gui/layout_test.cpp

#pragma once

#include "view/imgui.h"
#include "view/panel_table.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::pipeline {
struct Run;
}

namespace lanescope::view {

enum class Arrangement {
  Wide,     // source and lesson on the left; two figures above three
  Compact,  // six equal places, of which one is the source's and the lesson's: text for a projector
  Turns,    // source on the left, one large panel at a time on the right: a small projector
  Own       // the user's
};

/// What suits a dock space of this size, in ems of the text.
constexpr Arrangement arrangement_for(ImVec2 ems) {
  if (ems.x < 66 || ems.y < 24) return Arrangement::Turns;
  return ems.x < 84 ? Arrangement::Compact : Arrangement::Wide;
}

/// Places of figures, in all layouts but Turns.
inline constexpr size_t kFigurePlaces = 5;

/// Those of the names that panels have, in their order.
std::vector<PanelId> panels_named(std::span<const std::string> names);

/// "banks", "sectors": what panels_named() takes.
std::vector<std::string> names_of(std::span<const PanelId> panels);

/// Those that a run of a person's own file has something for.
std::vector<PanelId> panels_of_run(const pipeline::Run& run);

/// Puts the panels into the dock space `id`: `panels` take the places of figures in their order, the first
/// large, each in front of those that are docked there too; usual ones take what is left over. Does nothing
/// for Own.
void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement,
                    std::span<const PanelId> panels);

/// Those that are shown to a class: `panels`, or usual ones if there are none.
std::vector<PanelId> staged_panels(std::span<const PanelId> panels);

/// Fixed places for so many panels that fill `room`: two rows, from left to right, and of an odd number the
/// last one as high as both on the right. Each keeps its place whatever the panels show.
std::vector<ImRect> stage_places(size_t count, const ImRect& room, float gap);

/// Brings panels to the front where they are docked.
void select_panels(std::span<const PanelId> front);

/// Whether `front` is in front of `other` in a dock that has both.
bool stands_before(PanelId front, PanelId other);

/// A number that changes when the user docks a panel elsewhere.
ImGuiID places_of_panels();

/// Calls f for each leaf of the dock space that shows a window, as the last frame left it.
void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f);

}  // namespace lanescope::view
