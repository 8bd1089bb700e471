#include "view/dialogs/trace_dialog.h"

#include "view/widgets.h"

#include <filesystem>
#include <system_error>

namespace lanescope::view {

using plot::Color;
using plot::Role;

void TraceDialog::open(const Context& context) {
  opens_ = true;
  trace_ = context.now.run->trace;
  path_.begin(proposed_place(context.now, ".lane"), ".lane");
}

session::Notice TraceDialog::save(const Context& context) const {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(path_.path(), ignored).lexically_normal();
  if (const auto saved = context.actions.save_trace(trace_, path); !saved)
    return {true, describe(saved.error())};
  return {false, context.phrase(Text::window_exported, path.string())};
}

std::optional<session::Notice> TraceDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  draw_dialog(theme, "trace_dialog", opens_, 38, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)},
              context.text(Text::window_save_trace_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_save_trace_what));
    gap(theme, Space::Small);
    if (path_.draw(context, Text::window_save_session_button)) {
      ImGui::CloseCurrentPopup();
      notice = save(context);
    }
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
  return notice;
}

}  // namespace lanescope::view
