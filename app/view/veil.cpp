#include "view/veil.h"

#include "session/failed_run.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// After this time what is shown is marked as old.
constexpr double kSecondsUntilOld = 0.2;

}  // namespace

bool is_of_run(PanelId panel) {
  return panel != PanelId::Source && panel != PanelId::Launch && panel != PanelId::Lesson &&
         panel != PanelId::Exercise && panel != PanelId::Models;
}

void draw_veil(const Context& context, double busy_seconds) {
  if (!context.now.run || !is_of_run(context.panel)) return;
  const bool is_late = context.now.busy && busy_seconds > kSecondsUntilOld;
  if (!context.now.failed && !is_late) return;
  const Theme& theme = context.theme;
  const ImRect box = ImGui::GetCurrentWindow()->InnerRect;
  // The last child is drawn over the panel's own children.
  ImGui::SetCursorScreenPos(box.Min);
  ImGui::BeginChild("veil", box.GetSize(), ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.Min, box.Max, theme.color(Role::Surface, 0.62f));
  const std::string label = is_late ? std::string(context.text(Text::window_running))
                                    : context.phrase(Text::window_run_before, context.now.run->kernel);
  const TextStyle style{Face::Strong, kSmallText, Color::of(is_late ? Role::Ink : Role::Bad)};
  const ImVec2 size{text_width(theme, style.face, style.relative, label) + theme.em(1.2f), theme.em(1.6f)};
  const ImVec2 corner{box.GetCenter().x - size.x / 2, box.Min.y + theme.space(Space::Small)};
  list.AddRectFilled(corner, corner + size, theme.color(Role::Surface), size.y / 2);
  list.AddRect(corner, corner + size, theme.color(style.color), size.y / 2, theme.scale);
  draw_text(theme, list, {corner.x + theme.em(0.6f), corner.y + size.y / 2}, style, label);
  ImGui::EndChild();
}

}  // namespace lanescope::view
