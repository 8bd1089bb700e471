#include "view/dialogs/session_dialog.h"

#include "view/widgets.h"

#include <system_error>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".lanescope";

/// Where it was saved, else beside what is open.
fs::path proposal(const session::Snapshot& now) {
  if (now.session && !now.session->path.empty()) return now.session->path;
  return proposed_place(now, kEnding);
}

}  // namespace

void SessionDialog::open(const Context& context, session::OpenedSession window) {
  opens_ = true;
  window_ = std::move(window);
  path_.begin(proposal(context.now), kEnding);
}

session::Notice SessionDialog::save(const Context& context) {
  std::error_code ignored;
  window_.path = fs::absolute(path_.path(), ignored).lexically_normal();
  if (const auto saved = context.actions.save_session(window_); !saved)
    return {true, describe(saved.error())};
  return {false, context.phrase(Text::window_exported, window_.path.string())};
}

std::optional<session::Notice> SessionDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  draw_dialog(theme, "session_dialog", opens_, 38, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)},
              context.text(Text::window_save_session_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_save_session_what));
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
