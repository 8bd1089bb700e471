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

}  // namespace

void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size) {
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, corner);
  ImGui::DockBuilderSetNodeSize(id, size);
  ImGuiID rest = id, left = 0, lesson = 0, top = 0, top_right = 0, bottom_middle = 0, bottom_right = 0;
  ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, 0.325f, &left, &rest);
  ImGui::DockBuilderSplitNode(left, ImGuiDir_Down, 0.29f, &lesson, &left);
  ImGui::DockBuilderSplitNode(rest, ImGuiDir_Up, 0.53f, &top, &rest);
  ImGui::DockBuilderSplitNode(top, ImGuiDir_Right, 0.5f, &top_right, &top);
  ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.36f, &bottom_right, &rest);
  ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.44f, &bottom_middle, &rest);
  put(left, {PanelId::Source});
  put(lesson, {PanelId::Lesson});
  put(top, {PanelId::Banks});
  put(top_right, {PanelId::Sectors, PanelId::Warp});
  put(rest, {PanelId::Blocks, PanelId::Elements});
  put(bottom_middle, {PanelId::Partitions});
  put(bottom_right, {PanelId::Totals});
  ImGui::DockBuilderFinish(id);
}

void for_each_visible_node(ImGuiID id, const std::function<void(const ImGuiDockNode&)>& f) {
  visit(ImGui::DockBuilderGetNode(id), f);
}

}  // namespace lanescope::view
