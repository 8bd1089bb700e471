#include "view/control_name.h"

#include "view/imgui.h"

namespace lanescope::view {

void name_control(std::string_view name, bool is_chosen, std::string_view group) {
  const ImGuiIO& io = ImGui::GetIO();
  auto* const focused = static_cast<ControlName*>(io.UserData);
  if (focused == nullptr || !io.NavVisible || ImGui::GetItemID() != ImGui::GetCurrentContext()->NavId) return;
  focused->name = group;
  if (!group.empty()) focused->name += ' ';
  focused->name += name;
  focused->is_chosen = is_chosen;
}

}  // namespace lanescope::view
