#include "view/file_menu.h"

#include "session/opened_file.h"
#include "view/toolbar_groups.h"

#include <algorithm>

namespace lanescope::view {

namespace {

constexpr size_t kMostRecent = 10;

}  // namespace

float file_menu_width(const Context& context) {
  return text_width(context.theme, Face::Regular, 1, context.text(Text::window_file)) +
         context.theme.em(2.3f);
}

bool draw_file_menu(const Context& context, const Preferences& preferences) {
  ImGui::SetNextItemShortcut(ImGuiMod_Alt | ImGuiKey_F, ImGuiInputFlags_RouteGlobal);
  if (!begin_menu_button(context.theme, "file", std::string(context.text(Text::window_file)), Face::Regular))
    return false;
  const std::string open = std::string(context.text(Text::window_open)) + "###open";
  const bool is_wanted = ImGui::MenuItem(open.c_str(), "Ctrl O");
  if (!preferences.recent.empty()) {
    ImGui::SeparatorText(begin_of(context.text(Text::window_recent)));
    for (size_t n = 0; n < preferences.recent.size(); ++n) {
      const std::string& path = preferences.recent[n];
      const std::filesystem::path file(path);
      const std::string label = fmt::format("{}###recent{}", file.filename().string(), n);
      const bool is_open = context.now.choices.file && context.now.choices.file->path == file;
      if (ImGui::MenuItem(label.c_str(), nullptr, is_open)) context.post(session::OpenFile{file});
      if (ImGui::IsItemHovered()) tooltip(context.theme, path);
    }
  }
  ImGui::SeparatorText(begin_of(context.text(Text::window_lessons)));
  for (const std::string& lesson : context.now.available.lessons) {
    const bool is_open = context.now.choices.lesson && context.now.choices.lesson->name == lesson;
    if (ImGui::MenuItem(lesson.c_str(), nullptr, is_open)) context.post(session::OpenLesson{lesson});
  }
  ImGui::EndPopup();
  return is_wanted;
}

void note_recent(const session::Snapshot& now, Preferences& preferences) {
  if (!now.choices.file) return;
  const std::string path = now.choices.file->path.string();
  std::vector<std::string>& recent = preferences.recent;
  if (!recent.empty() && recent.front() == path) return;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

}  // namespace lanescope::view
