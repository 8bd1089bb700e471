#include "view/layout.h"

#include "view/panel_table.h"

#include <array>
#include <set>
#include <string>

namespace lanescope::view {
namespace {

/// The dock node of each Dock; several may share one. Bar has none.
using DockNodes = std::array<ImGuiID, kDocks>;

/// Docks the panels of `node`, the first of them in front.
void dock(ImGuiID node, const DockNodes& nodes, Dock PanelRow::* place) {
  bool first = true;
  for (const PanelRow& row : panel_rows()) {
    if (nodes[static_cast<size_t>(row.*place)] != node) continue;
    const std::string window = window_of(row.id);
    ImGui::DockBuilderDockWindow(window.c_str(), node);
    ImGuiDockNode* made = ImGui::DockBuilderGetNode(node);
    if (first && made != nullptr) made->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(window.c_str()));
    first = false;
  }
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
  const ImGuiID left_bottom = split(&left, ImGuiDir_Down, 0.29f);
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

}  // namespace

void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement) {
  if (arrangement == Arrangement::Own) return;
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, corner);
  ImGui::DockBuilderSetNodeSize(id, size);
  const bool compact = arrangement == Arrangement::Compact;
  const DockNodes nodes = compact ? compact_nodes(id) : wide_nodes(id);
  for (const ImGuiID node : std::set<ImGuiID>(nodes.begin(), nodes.end()))
    if (node != 0) dock(node, nodes, compact ? &PanelRow::compact : &PanelRow::wide);
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
