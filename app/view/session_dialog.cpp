#include "view/session_dialog.h"

#include "session/opened_file.h"
#include "view/dialog_window.h"
#include "view/widgets.h"

#include <system_error>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".lanescope";

/// Next to the file that is open, under its name; of a lesson in the current folder.
fs::path proposal(const session::Snapshot& now) {
  const session::Choices& choices = now.choices;
  if (now.session && !now.session->path.empty()) return now.session->path;
  if (choices.file) return fs::path(choices.file->path).replace_extension(kEnding);
  const std::string name = choices.lesson ? choices.lesson->name : "session";
  return free_place(fs::path(name).filename().string() + kEnding);
}

}  // namespace

void SessionDialog::open(const Context& context, session::OpenedSession window) {
  opening_ = true;
  replaces_.clear();
  window_ = std::move(window);
  path_ = proposal(context.now).string();
}

std::optional<session::Notice> SessionDialog::save(const Context& context) {
  fs::path file(path_);
  if (file.extension() != kEnding) file += kEnding;
  std::error_code ignored;
  // What exists is replaced only where the person presses again for this very file.
  if (fs::exists(file, ignored) && replaces_ != file) {
    replaces_ = file;
    path_ = file.string();
    return {};
  }
  ImGui::CloseCurrentPopup();
  window_.path = fs::absolute(file, ignored).lexically_normal();
  if (const auto saved = context.actions.save_session(window_); !saved)
    return session::Notice{true, describe(saved.error())};
  return session::Notice{false, context.phrase(Text::window_exported, window_.path.string())};
}

std::optional<session::Notice> SessionDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  if (std::exchange(opening_, false)) ImGui::OpenPopup("session_dialog");
  center_next_window(theme, 38);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Huge), theme.space(Space::Huge)));
  if (ImGui::BeginPopupModal("session_dialog", nullptr, kDialogFlags)) {
    if (wants_to_leave()) ImGui::CloseCurrentPopup();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)},
              context.text(Text::window_save_session_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_save_session_what));
    ImGui::Dummy({0, theme.space(Space::Small)});
    text_field(theme, "##file", path_, -1);
    const bool replaces = !replaces_.empty() && replaces_ == fs::path(path_);
    if (replaces)
      paragraph(theme, {Face::Strong, kSmallText, Color::of(Role::Bad)},
                context.text(Text::window_file_exists));
    ImGui::Dummy({0, theme.space(Space::Small)});
    const Text label = replaces ? Text::window_replace : Text::window_save_session_button;
    if (text_button(theme, "save", context.text(label), Weight::Strong)) notice = save(context);
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return notice;
}

}  // namespace lanescope::view
