#include "view/layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

namespace lanescope::view {
namespace {

/// The dock node of each Dock; several may share one. Bar has none.
using DockNodes = std::array<ImGuiID, kDocks>;

/// The largest places, for what a lesson is about.
constexpr std::array kFrontDocks{Dock::TopLeft, Dock::TopRight, Dock::BottomLeft, Dock::BottomRight};

/// [PanelId]
using Places = std::array<Dock, kPanels>;

/// Where panels go: those that stand beside the figures, and the bar, stay where they are.
Places places_with(std::span<const PanelId> front, Dock PanelRow::* place) {
  Places places{};
  for (const PanelRow& row : panel_rows()) places[static_cast<size_t>(row.id)] = row.*place;
  size_t next = 0;
  for (const PanelId id : front) {
    Dock& its = places[static_cast<size_t>(id)];
    const bool stays = its == Dock::Bar || its == Dock::Left || its == Dock::LeftBottom;
    if (!stays && next < kFrontDocks.size()) its = kFrontDocks[next++];
  }
  return places;
}

ImGuiID tab_of(PanelId id) { return ImHashStr("#TAB", 0, ImHashStr(window_of(id).c_str())); }

/// Which of several panels is in front: one that the lesson is about, else one with something to show.
int rank(PanelId id, const PanelEmphasis& emphasis) {
  const auto has = [id](const std::vector<PanelId>& ids) { return std::ranges::find(ids, id) != ids.end(); };
  return has(emphasis.front) ? 2 : has(emphasis.empty) ? 0 : 1;
}

/// The panels of a node, in the order of their tabs.
std::vector<PanelId> panels_in(ImGuiID node, const DockNodes& nodes, const Places& places) {
  std::vector<PanelId> panels;
  for (const PanelRow& row : panel_rows())
    if (nodes[static_cast<size_t>(places[static_cast<size_t>(row.id)])] == node) panels.push_back(row.id);
  return panels;
}

std::optional<PanelId> front_of(const std::vector<PanelId>& panels, const PanelEmphasis& emphasis) {
  const auto best = std::ranges::max_element(panels, {}, [&](PanelId id) { return rank(id, emphasis); });
  return best == panels.end() ? std::nullopt : std::optional(*best);
}

/// A place whose panels are all empty gets one that stands behind another elsewhere.
void fill_empty_docks(Places& places, const DockNodes& nodes, const PanelEmphasis& emphasis) {
  for (const Dock dock : {Dock::BottomMiddle, Dock::BottomLeft, Dock::BottomRight}) {
    const ImGuiID node = nodes[static_cast<size_t>(dock)];
    const auto shown = front_of(panels_in(node, nodes, places), emphasis);
    if (!shown || rank(*shown, emphasis) != 0) continue;
    for (const PanelId id : {PanelId::Bandwidth, PanelId::Totals, PanelId::Warp, PanelId::Lanes,
                             PanelId::Sectors, PanelId::Banks}) {
      Dock& its = places[static_cast<size_t>(id)];
      const ImGuiID there = nodes[static_cast<size_t>(its)];
      if (there == node || front_of(panels_in(there, nodes, places), emphasis) == id) continue;
      its = dock;
      break;
    }
  }
}

/// Docks the panels of `node`.
void dock(ImGuiID node, const DockNodes& nodes, const Places& places, const PanelEmphasis& emphasis) {
  const std::vector<PanelId> panels = panels_in(node, nodes, places);
  for (const PanelId id : panels) ImGui::DockBuilderDockWindow(window_of(id).c_str(), node);
  ImGuiDockNode* const made = ImGui::DockBuilderGetNode(node);
  const auto shown = front_of(panels, emphasis);
  if (shown && made != nullptr) made->SelectedTabId = tab_of(*shown);
}

void visit(const ImGuiDockNode* node, const std::function<void(const ImGuiDockNode&)>& f) {
  if (node == nullptr) return;
  if (node->IsSplitNode()) {
    visit(node->ChildNodes[0], f);
    visit(node->ChildNodes[1], f);
  } else if (node->IsVisible && node->Windows.Size > 0) {
    f(*node);
  }
}

ImGuiID split(ImGuiID* from, ImGuiDir direction, float share) {
  ImGuiID part = 0;
  ImGui::DockBuilderSplitNode(*from, direction, share, &part, from);
  return part;
}

DockNodes wide_nodes(ImGuiID rest) {
  ImGuiID left = split(&rest, ImGuiDir_Left, 0.325f);
  const ImGuiID left_bottom = split(&left, ImGuiDir_Down, 0.4f);
  ImGuiID top = split(&rest, ImGuiDir_Up, 0.53f);
  const ImGuiID top_right = split(&top, ImGuiDir_Right, 0.5f);
  const ImGuiID bottom_right = split(&rest, ImGuiDir_Right, 0.36f);
  const ImGuiID bottom_middle = split(&rest, ImGuiDir_Right, 0.44f);
  return {0, left, left_bottom, top, top_right, rest, bottom_middle, bottom_right};
}

DockNodes compact_nodes(ImGuiID rest) {
  const ImGuiID left = split(&rest, ImGuiDir_Left, 0.36f);
  ImGuiID top = split(&rest, ImGuiDir_Up, 0.52f);
  const ImGuiID top_right = split(&top, ImGuiDir_Right, 0.5f);
  const ImGuiID bottom_right = split(&rest, ImGuiDir_Right, 0.5f);
  return {0, left, left, top, top_right, rest, bottom_right, bottom_right};
}

DockNodes turns_nodes(ImGuiID rest) {
  const ImGuiID left = split(&rest, ImGuiDir_Left, 0.38f);
  return {0, left, left, rest, rest, rest, rest, rest};
}

}  // namespace

void select_panels(std::span<const PanelId> front) {
  for (const PanelId id : front) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(window_of(id).c_str());
    if (window != nullptr && window->DockNode != nullptr && window->DockNode->TabBar != nullptr)
      window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
}

void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement,
                    const PanelEmphasis& emphasis) {
  if (arrangement == Arrangement::Own) return;
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, corner);
  ImGui::DockBuilderSetNodeSize(id, size);
  const bool wide = arrangement == Arrangement::Wide;
  const DockNodes nodes = wide                                  ? wide_nodes(id)
                          : arrangement == Arrangement::Compact ? compact_nodes(id)
                                                                : turns_nodes(id);
  Places places = places_with(emphasis.front, wide ? &PanelRow::wide : &PanelRow::compact);
  fill_empty_docks(places, nodes, emphasis);
  for (const ImGuiID node : std::set<ImGuiID>(nodes.begin(), nodes.end()))
    if (node != 0) dock(node, nodes, places, emphasis);
  ImGui::DockBuilderFinish(id);
}

ImGuiID places_of_panels() {
  ImGuiID places = 0;
  for (const PanelRow& row : panel_rows()) {
    const ImGuiWindow* window = ImGui::FindWindowByName(window_of(row.id).c_str());
    const ImGuiID place = window != nullptr ? window->DockId : 0;
    places = ImHashData(&place, sizeof place, places);
  }
  return places;
}

void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f) {
  visit(ImGui::DockBuilderGetNode(id), f);
}

}  // namespace lanescope::view
