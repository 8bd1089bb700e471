#include "view/dialog_window.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace lanescope::view {

void center_next_window(const Theme& theme, float ems) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  const float width = std::min(theme.em(ems), viewport->Size.x - 2 * theme.space(Space::Huge));
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - 2 * theme.space(Space::Huge)});
}

bool wants_to_leave() {
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
                      !ImGui::IsWindowAppearing();
  return beside || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
}

std::filesystem::path free_place(const std::filesystem::path& wanted) {
  std::error_code problem;
  namespace fs = std::filesystem;
  const fs::path whole = fs::absolute(wanted, problem);
  fs::path free = whole;
  for (int n = 2; n < 1000 && fs::exists(free, problem); ++n)
    free.replace_filename(fmt::format("{}-{}{}", whole.stem().string(), n, whole.extension().string()));
  return free;
}

}  // namespace lanescope::view
