#include "view/layout.h"

#include "pipeline/run.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace lanescope::view {
namespace {

/// The dock node of each Dock; several may share one. Bar has none.
using DockNodes = std::array<ImGuiID, kDocks>;

/// The places of figures, in the order in which a list of panels takes them.
constexpr std::array kFigureDocks{Dock::TopLeft, Dock::TopRight, Dock::BottomLeft, Dock::BottomMiddle,
                                  Dock::BottomRight};
static_assert(kFigureDocks.size() == kFigurePlaces);

/// [PanelId]
using Places = std::array<Dock, kPanels>;

/// Those that stand beside the figures, and the bar, stay where they are.
bool is_movable(PanelId id) { return std::ranges::find(kFigureDocks, row_of(id).dock) != kFigureDocks.end(); }

/// Every panel is docked; those of `front`, which fill the places of figures, each at its own.
Places places_with(std::span<const PanelId> front) {
  Places places{};
  for (const PanelRow& row : panel_rows()) places[static_cast<size_t>(row.id)] = row.dock;
  for (size_t n = 0; n < front.size(); ++n) places[static_cast<size_t>(front[n])] = kFigureDocks[n];
  return places;
}

ImGuiID tab_of(PanelId id) { return ImHashStr("#TAB", 0, ImHashStr(window_of(id).c_str())); }

/// Docks the panels of `node`, in the order of their tabs. In front is the first of `front`, else the first.
void dock(ImGuiID node, const DockNodes& nodes, const Places& places, std::span<const PanelId> front) {
  std::vector<PanelId> panels;
  for (const PanelRow& row : panel_rows())
    if (nodes[static_cast<size_t>(places[static_cast<size_t>(row.id)])] == node) panels.push_back(row.id);
  for (const PanelId id : panels) ImGui::DockBuilderDockWindow(window_of(id).c_str(), node);
  ImGuiDockNode* const made = ImGui::DockBuilderGetNode(node);
  if (made == nullptr || panels.empty()) return;
  const auto shown = std::ranges::find_first_of(front, panels);
  made->SelectedTabId = tab_of(shown == front.end() ? panels.front() : *shown);
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
  ImGuiID top = split(&rest, ImGuiDir_Up, 0.5f);
  const ImGuiID left = split(&top, ImGuiDir_Left, 1.0f / 3);
  const ImGuiID top_right = split(&top, ImGuiDir_Right, 0.5f);
  const ImGuiID bottom_right = split(&rest, ImGuiDir_Right, 1.0f / 3);
  const ImGuiID bottom_middle = split(&rest, ImGuiDir_Right, 0.5f);
  return {0, left, left, top, top_right, rest, bottom_middle, bottom_right};
}

DockNodes turns_nodes(ImGuiID rest) {
  const ImGuiID left = split(&rest, ImGuiDir_Left, 0.38f);
  return {0, left, left, rest, rest, rest, rest, rest};
}

/// Where a lesson names too few.
constexpr std::array kUsualPanels{PanelId::Banks,     PanelId::Sectors, PanelId::Totals,
                                  PanelId::Bandwidth, PanelId::Warp,    PanelId::Blocks};

/// Adds those of `more` until all places of figures are taken.
void fill_up(std::vector<PanelId>& front, std::span<const PanelId> more) {
  for (const PanelId id : more)
    if (front.size() < kFigurePlaces && is_movable(id) && std::ranges::find(front, id) == front.end())
      front.push_back(id);
}

}  // namespace

std::vector<PanelId> panels_named(std::span<const std::string> names) {
  std::vector<PanelId> panels;
  for (const std::string& name : names)
    if (const auto id = panel_named(name)) panels.push_back(*id);
  return panels;
}

std::vector<std::string> names_of(std::span<const PanelId> panels) {
  std::vector<std::string> names;
  for (const PanelId panel : panels) names.emplace_back(name_of(panel));
  return names;
}

std::vector<PanelId> panels_of_run(const pipeline::Run& run) {
  std::vector<PanelId> panels{PanelId::Banks, PanelId::Sectors};
  if (run.tiles && !run.tiles->empty()) panels.push_back(PanelId::Blocks);
  if (run.partitions) panels.push_back(PanelId::Partitions);
  fill_up(panels, std::array{PanelId::Totals, PanelId::Warp, PanelId::Lanes});
  return panels;
}

std::vector<PanelId> staged_panels(std::span<const PanelId> panels) {
  std::vector<PanelId> staged;
  for (const PanelId id : panels)
    if (row_of(id).dock != Dock::Bar) staged.push_back(id);
  if (staged.empty()) fill_up(staged, kUsualPanels);
  return staged;
}

std::vector<ImRect> stage_places(size_t count, const ImRect& room, float gap) {
  if (count == 0) return {};
  const size_t rows = count <= 2 ? 1 : 2;
  const size_t columns = (count + rows - 1) / rows;
  const float width = (room.GetWidth() + gap) / static_cast<float>(columns);
  const float height = (room.GetHeight() + gap) / static_cast<float>(rows);
  const size_t in_row = count / rows;  // without the last one of an odd number
  std::vector<ImRect> places;
  for (size_t n = 0; n < in_row * rows; ++n) {
    const ImVec2 corner =
        room.Min + ImVec2(static_cast<float>(n % in_row) * width, static_cast<float>(n / in_row) * height);
    places.emplace_back(corner, corner + ImVec2(width - gap, height - gap));
  }
  if (places.size() < count)
    places.emplace_back(room.Min + ImVec2(static_cast<float>(in_row) * width, 0), room.Max);
  return places;
}

void select_panels(std::span<const PanelId> front) {
  for (const PanelId id : front) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(window_of(id).c_str());
    if (window != nullptr && window->DockNode != nullptr && window->DockNode->TabBar != nullptr)
      window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
}

bool stands_before(PanelId front, PanelId other) {
  const ImGuiWindow *const first = ImGui::FindWindowByName(window_of(front).c_str()),
                           *const second = ImGui::FindWindowByName(window_of(other).c_str());
  return first != nullptr && second != nullptr && first->DockNode != nullptr &&
         first->DockNode == second->DockNode && first->DockTabIsVisible;
}

void arrange_panels(ImGuiID id, ImVec2 corner, ImVec2 size, Arrangement arrangement,
                    std::span<const PanelId> panels) {
  if (arrangement == Arrangement::Own) return;
  ImGui::DockBuilderRemoveNode(id);
  ImGui::DockBuilderAddNode(id, static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodePos(id, corner);
  ImGui::DockBuilderSetNodeSize(id, size);
  const DockNodes nodes = arrangement == Arrangement::Wide      ? wide_nodes(id)
                          : arrangement == Arrangement::Compact ? compact_nodes(id)
                                                                : turns_nodes(id);
  std::vector<PanelId> front;
  fill_up(front, panels);
  fill_up(front, kUsualPanels);
  const Places places = places_with(front);
  for (const ImGuiID node : std::set<ImGuiID>(nodes.begin(), nodes.end()))
    if (node != 0) dock(node, nodes, places, front);
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
