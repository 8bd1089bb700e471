#include "view/layout.h"

#include "view/preferences.h"

#include <initializer_list>
#include <string>

namespace lanescope::view {
namespace {

void put(ImGuiID node, std::initializer_list<PanelId> panels) {
  // The part behind ### is the window's name; what stands before is its title, which depends on the language.
  for (const PanelId panel : panels) {
    const std::string name = "###" + std::string(name_of(panel));
    ImGui::DockBuilderDockWindow(name.c_str(), node);
  }
  if (ImGuiDockNode* made = ImGui::DockBuilderGetNode(node); made != nullptr && panels.size() > 0) {
    // The first panel of a node is the one in front.
    const std::string first = "###" + std::string(name_of(*panels.begin()));
    made->SelectedTabId = ImHashStr("#TAB", 0, ImHashStr(first.c_str()));
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

void arrange_wide(ImGuiID rest) {
  ImGuiID left = split(&rest, ImGuiDir_Left, 0.325f);
  const ImGuiID lesson = split(&left, ImGuiDir_Down, 0.29f);
  ImGuiID top = split(&rest, ImGuiDir_Up, 0.53f);
  const ImGuiID top_right = split(&top, ImGuiDir_Right, 0.5f);
  const ImGuiID bottom_right = split(&rest, ImGuiDir_Right, 0.36f);
  const ImGuiID bottom_middle = split(&rest, ImGuiDir_Right, 0.44f);
  put(left, {PanelId::Source});
  put(lesson, {PanelId::Lesson, PanelId::Output});
  put(top, {PanelId::Banks});
  put(top_right, {PanelId::Sectors, PanelId::Warp, PanelId::Registers, PanelId::Models});
  put(rest, {PanelId::Blocks, PanelId::Elements});
  put(bottom_middle, {PanelId::Partitions});
  put(bottom_right, {PanelId::Totals, PanelId::Bandwidth});
}

void arrange_compact(ImGuiID rest) {
  const ImGuiID left = split(&rest, ImGuiDir_Left, 0.36f);
  ImGuiID top = split(&rest, ImGuiDir_Up, 0.52f);
  const ImGuiID top_right = split(&top, ImGuiDir_Right, 0.5f);
  const ImGuiID bottom_right = split(&rest, ImGuiDir_Right, 0.5f);
  put(left, {PanelId::Source, PanelId::Lesson, PanelId::Output});
  put(top, {PanelId::Banks, PanelId::Warp, PanelId::Registers});
  put(top_right, {PanelId::Sectors, PanelId::Models});
  put(rest, {PanelId::Blocks, PanelId::Elements});
  put(bottom_right, {PanelId::Partitions, PanelId::Totals, PanelId::Bandwidth});
}

}  // namespace

void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement) {
  if (arrangement == Arrangement::Own) return;
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, corner);
  ImGui::DockBuilderSetNodeSize(id, size);
  if (arrangement == Arrangement::Compact)
    arrange_compact(id);
  else
    arrange_wide(id);
  ImGui::DockBuilderFinish(id);
}

ImGuiID places_of_panels() {
  ImGuiID places = 0;
  for (size_t n = 0; n < kPanels; ++n) {
    const std::string name = "###" + std::string(name_of(static_cast<PanelId>(n)));
    const ImGuiWindow* window = ImGui::FindWindowByName(name.c_str());
    const ImGuiID place = window != nullptr ? window->DockId : 0;
    places = ImHashData(&place, sizeof place, places);
  }
  return places;
}

void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f) {
  visit(ImGui::DockBuilderGetNode(id), f);
}

}  // namespace lanescope::view
