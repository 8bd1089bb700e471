#include "view/dialogs/dialog_window.h"

#include "session/opened_file.h"
#include "view/widgets.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr ImGuiWindowFlags kDialogFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

void center_next_window(const Theme& theme, float ems) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  const float width = std::min(theme.em(ems), viewport->Size.x - 2 * theme.space(Space::Huge));
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - 2 * theme.space(Space::Huge)});
}

}  // namespace

bool wants_to_leave() {
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
                      !ImGui::IsWindowAppearing();
  return beside || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
}

void draw_dialog(const Theme& theme, const char* id, bool& opens, float ems,
                 const std::function<void()>& draw_content) {
  if (std::exchange(opens, false)) ImGui::OpenPopup(id);
  center_next_window(theme, ems);
  const float padding = theme.space(Space::Huge);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
  if (ImGui::BeginPopupModal(id, nullptr, kDialogFlags)) {
    if (wants_to_leave()) ImGui::CloseCurrentPopup();
    draw_content();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
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

std::filesystem::path proposed_place(const session::Snapshot& now, const std::string& ending) {
#ifdef __EMSCRIPTEN__
  constexpr bool kIsPage = true;
#else
  constexpr bool kIsPage = false;
#endif
  const session::Choices& choices = now.choices;
  if (choices.file) {
    const std::filesystem::path beside = std::filesystem::path(choices.file->path).replace_extension(ending);
    // A page's own copies of opened files lie where nobody looks; the current folder is that of downloads.
    return kIsPage ? free_place(beside.filename()) : beside;
  }
  const std::string name = choices.lesson ? choices.lesson->name : "session";
  return free_place(std::filesystem::path(name).filename().string() + ending);
}

void SavePath::begin(const std::filesystem::path& path, std::string_view ending) {
  text_ = path.string();
  replaces_.clear();
  ending_ = ending;
}

bool SavePath::confirm() {
  if (text_.empty()) return false;
  if (!text_.ends_with(ending_)) text_ += ending_;
  std::error_code ignored;
  if (!std::filesystem::exists(text_, ignored) || is_asked()) return true;
  replaces_ = text_;
  return false;
}

bool SavePath::draw(const Context& context, Text save) {
  const Theme& theme = context.theme;
  const bool entered = text_field(theme, "##path", text_, -1) && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  const bool asks = is_asked();
  if (asks)
    paragraph(theme, {Face::Strong, kSmallText, Color::of(Role::Bad)},
              context.text(Text::window_file_exists));
  gap(theme, Space::Small);
  const std::string_view label = context.text(asks ? Text::window_replace : save);
  const bool pressed = text_button(theme, "save", label, Weight::Strong);
  return (pressed || entered) && confirm();
}

std::optional<session::Notice> draw_save_dialog(const Context& context, const SaveWords& dialog, bool& opens,
                                                SavePath& path,
                                                const std::function<session::Notice()>& save) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  draw_dialog(theme, dialog.id, opens, 38, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(dialog.title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, context.text(dialog.what));
    gap(theme, Space::Small);
    if (path.draw(context, Text::window_save_session_button)) {
      ImGui::CloseCurrentPopup();
      notice = save();
    }
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
  return notice;
}

}  // namespace lanescope::view
