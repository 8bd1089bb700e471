#include "view/dialogs/file_dialog.h"

#include "session/view_link.h"
#include "view/control_name.h"
#include "view/dialogs/dialog_window.h"
#include "view/widgets.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kEndings{".cu",  ".cuh",  ".ptx",      ".toml",
                                                   ".cpp", ".lane", ".lanescope"};
constexpr size_t kMostEntries = 5000;

bool is_kernel_file(const fs::path& file) {
  const std::string ending = file.extension().string();
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

}  // namespace

void FileDialog::enter(const fs::path& folder) {
  std::error_code problem;
  folder_ = fs::absolute(folder, problem).lexically_normal();
  if (folder_.has_relative_path() && folder_.filename().empty()) folder_ = folder_.parent_path();
  path_ = folder_.string();
  entries_.clear();
  fs::directory_iterator entry(folder_, fs::directory_options::skip_permission_denied, problem);
  is_readable_ = !problem;
  for (; !problem && entry != fs::directory_iterator() && entries_.size() < kMostEntries;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) continue;
    if (entry->is_directory(ignored)) {
      const bool is_lesson = fs::exists(entry->path() / "lesson.toml", ignored);
      entries_.push_back({name, is_lesson ? Entry::Kind::Lesson : Entry::Kind::Folder});
    } else if (is_kernel_file(name)) {
      entries_.push_back({name, Entry::Kind::File});
    }
  }
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    const bool a_is_file = a.kind == Entry::Kind::File, b_is_file = b.kind == Entry::Kind::File;
    return a_is_file != b_is_file ? b_is_file : a.name < b.name;
  });
}

void FileDialog::open(const fs::path& file) {
  opens_ = true;
  std::error_code problem;
  enter(file.empty() ? fs::current_path(problem) : file.parent_path());
}

void FileDialog::choose(const Context& context, const fs::path& path) {
  std::error_code problem;
  if (session::is_link(path.string())) {
    context.post(session::OpenLink{path.string()});
    return ImGui::CloseCurrentPopup();
  }
  const fs::path whole = path.is_absolute() ? path : folder_ / path;
  if (fs::is_directory(whole, problem) && !fs::exists(whole / "lesson.toml", problem)) return enter(whole);
  // Whether it is a file is for the session to say.
  context.post(session::OpenFile{whole});
  ImGui::CloseCurrentPopup();
}

void FileDialog::draw_entries(const Context& context) {
  const Theme& theme = context.theme;
  const auto say_so = [&](Text text) {
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)}, context.text(text));
  };
  if (folder_.has_relative_path() &&
      ImGui::Selectable(
          (".. (" + std::string(context.text(Text::window_parent_folder)) + ")###parent").c_str(), false,
          ImGuiSelectableFlags_NoAutoClosePopups))
    return enter(folder_.parent_path());
  if (!is_readable_) return say_so(Text::window_no_such_folder);
  if (entries_.empty()) return say_so(Text::window_no_files_here);
  for (const Entry& entry : entries_) {
    const bool is_file = entry.kind == Entry::Kind::File;
    const std::string label =
        entry.name + (is_file ? "" : "/") +
        (entry.kind == Entry::Kind::Lesson ? "   " + std::string(context.text(Text::lesson))
                                           : std::string()) +
        "###" + entry.name;
    const ColorScope ink(ImGuiCol_Text, theme.color(is_file ? Role::Ink : Role::Accent));
    // The entries change where a folder is entered.
    const bool pressed = ImGui::Selectable(label.c_str(), false, ImGuiSelectableFlags_NoAutoClosePopups);
    name_control(entry.name);
    if (pressed) return choose(context, folder_ / entry.name);
  }
}

void FileDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "open_dialog", opens_, 44, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_open_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              std::string(context.text(Text::window_open_what)) + "; " +
                  std::string(context.text(Text::window_drop_here)));
    gap(theme, Space::Small);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    const bool entered = text_field(theme, "##path", path_, -1) && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    if (entered) choose(context, path_);
    const float rows = std::min(14.0f, ImGui::GetMainViewport()->Size.y / theme.em(1.6f) - 12);
    ImGui::BeginChild("entries", {0, theme.em(1.6f) * rows}, ImGuiChildFlags_Borders);
    draw_entries(context);
    ImGui::EndChild();
    gap(theme, Space::Small);
    if (text_button(theme, "open", context.text(Text::window_open_button), Weight::Strong))
      choose(context, path_);
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
