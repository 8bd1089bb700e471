#include "view/error_banner.h"

#include "session/failed_run.h"
#include "view/control_name.h"
#include "view/finding.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// What the banner is about, where it is what a check found in the run that is shown.
const trace::Hazard* shown_hazard(const session::Snapshot& now) {
  if (!now.run || now.failed || now.run->trace->hazards.empty()) return nullptr;
  return now.error->message.starts_with(trace::sentence_of(now.run->trace->hazards.front()))
             ? &now.run->trace->hazards.front()
             : nullptr;
}

/// Of the compiler the first error itself.
std::string first_error(const session::Snapshot& now) {
  if (!now.failed || now.failed->errors.empty()) return describe(*now.error);
  const compile::LogError& error = now.failed->errors.front();
  return describe(Error{.message = error.message, .where = Location{error.file, error.line}});
}

}  // namespace

void draw_error_banner(const Context& context, ImVec2 corner, float width) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = theme.control_height();
  list.AddRectFilled(corner, corner + ImVec2(width, height), theme.color(Role::Bad, 0.12f),
                     theme.space(Space::Small));
  list.AddRect(corner, corner + ImVec2(width, height), theme.color(Role::Bad), theme.space(Space::Small),
               theme.scale);
  const std::string text = describe(*context.now.error);
  const std::string first = first_error(context.now);
  draw_text(theme, list, {corner.x + theme.space(Space::Large), corner.y + height / 2},
            {Face::Strong, kSmallText, Color::of(Role::Bad)},
            std::string_view(first).substr(0, first.find('\n')), width - 2 * theme.space(Space::Large));
  ImGui::SetCursorScreenPos(corner);
  const bool pressed = ImGui::InvisibleButton("error", {width, height}, ImGuiButtonFlags_EnableNav);
  name_control(text);
  const trace::Hazard* hazard = shown_hazard(context.now);
  if (pressed && hazard != nullptr) go_to(context, *hazard);
  if (ImGui::IsItemHovered())
    tooltip(theme, hazard != nullptr ? text + "\n" + where_it_goes(context, *hazard) : text);
}

}  // namespace lanescope::view
