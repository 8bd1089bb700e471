#include "view/file_menu.h"

#include "session/lecture_state.h"
#include "session/opened_file.h"
#include "session/settings_text.h"
#include "session/view_link.h"
#include "session/whole_program.h"
#include "view/lesson_progress.h"
#include "view/toolbar_groups.h"

#include <algorithm>

namespace lanescope::view {

namespace {

constexpr size_t kMostRecent = 10;

/// Both entries name what they change.
void offer_undo(const Context& context) {
  const session::Choices& now = context.now.choices;
  const auto offer = [&](Text plain, Text with, const std::shared_ptr<const session::Choices>& to,
                         const char* id, const char* keys, const session::Command& command, bool is_back) {
    const std::string what = !to       ? std::string()
                             : is_back ? session::change_between(*to, now, context.language())
                                       : session::change_between(now, *to, context.language());
    const std::string label =
        (what.empty() ? std::string(context.text(plain)) : context.phrase(with, what)) + id;
    if (menu_item(label.c_str(), keys, false, to != nullptr)) context.post(command);
  };
  ImGui::Separator();
  offer(Text::window_undo_choice, Text::window_undo_what, context.now.undo, "###undo", "Ctrl Z",
        session::Undo{}, true);
  offer(Text::window_redo_choice, Text::window_redo_what, context.now.redo, "###redo", "Ctrl Shift Z",
        session::Redo{}, false);
}

}  // namespace

float file_menu_width(const Context& context) {
  return text_width(context.theme, Face::Regular, 1, context.text(Text::window_file)) +
         context.theme.em(2.3f);
}

FileRequests draw_file_menu(const Context& context, const Preferences& preferences) {
  ImGui::SetNextItemShortcut(ImGuiMod_Alt | ImGuiKey_F, ImGuiInputFlags_RouteGlobal);
  if (!begin_menu_button(context.theme, "file", std::string(context.text(Text::window_file)))) return {};
  FileRequests requests;
  const std::string open = std::string(context.text(Text::window_open)) + "###open";
  requests.open = menu_item(open.c_str(), "Ctrl O");
  const std::string save = std::string(context.text(Text::window_save_session)) + "###save_session";
  requests.save_session = menu_item(save.c_str(), nullptr, false, context.now.run != nullptr);
  if (context.actions.save_trace) {
    const std::string trace = std::string(context.text(Text::window_save_trace)) + "###save_trace";
    requests.save_trace = menu_item(trace.c_str(), nullptr, false, context.now.run != nullptr);
  }
  const std::string copy = std::string(context.text(Text::window_copy_link)) + "###copy_link";
  const std::string& page = context.actions.page_address;
  if (const auto link =
          session::link_of(context.now, page.empty() ? std::string(session::kLinkBegin) : page + '#');
      menu_item(copy.c_str(), nullptr, false, link.has_value())) {
    ImGui::SetClipboardText(link->c_str());
    context.notify(std::string(context.text(Text::window_link_copied)));
  }
  const std::string add = std::string(context.text(Text::lecture_add_view)) + "###add_to_lecture";
  requests.add_to_lecture = menu_item(add.c_str(), nullptr, false,
                                      context.now.run != nullptr && context.now.choices.lesson != nullptr);
  if (context.now.lecture && context.actions.export_lecture) {
    const std::string slides = std::string(context.text(Text::lecture_export)) + "###export_lecture";
    requests.export_lecture = menu_item(slides.c_str());
  }
  if (context.actions.continue_kept) {
    const std::string again = std::string(context.text(Text::window_continue_title)) + "###continue";
    if (menu_item(again.c_str())) context.actions.continue_kept();
  }
  offer_undo(context);
  if (!preferences.recent.empty()) {
    ImGui::SeparatorText(begin_of(context.text(Text::window_recent)));
    for (size_t n = 0; n < preferences.recent.size(); ++n) {
      const std::string& path = preferences.recent[n];
      const std::filesystem::path file(path);
      const std::string label = fmt::format("{}###recent{}", file.filename().string(), n);
      const bool is_open = context.now.choices.file && context.now.choices.file->path == file;
      if (menu_item(label.c_str(), nullptr, is_open)) context.post(session::OpenFile{file});
      if (ImGui::IsItemHovered()) tooltip(context.theme, context.shown(file));
    }
  }
  ImGui::SeparatorText(begin_of(context.text(Text::window_lessons)));
  const session::Available& available = context.now.available;
  for (size_t n = 0; n < available.lessons.size(); ++n) {
    const std::string& lesson = available.lessons[n];
    const bool is_open = context.now.choices.lesson && context.now.choices.lesson->name == lesson;
    const std::string label = available.lesson_titles[n].in(context.language()) + "###" + lesson;
    const std::string done = progress_text(context, n);
    if (menu_item(label.c_str(), done.c_str(), is_open)) context.post(session::OpenLesson{lesson});
  }
  ImGui::SeparatorText(begin_of(context.text(Text::window_lectures)));
  for (size_t n = 0; n < available.lectures.size(); ++n) {
    const std::string& lecture = available.lectures[n];
    const bool is_open = context.now.lecture && context.now.lecture->lecture->name == lecture;
    const std::string label = available.lecture_titles[n].in(context.language()) + "###lecture_" + lecture;
    if (menu_item(label.c_str(), nullptr, is_open)) context.post(session::OpenLecture{lecture});
  }
  end_list();
  return requests;
}

void note_recent(const session::Snapshot& now, Preferences& preferences) {
  if (!now.choices.file) return;
  note_recent(now.whole_program ? now.whole_program->source : now.choices.file->path, preferences);
}

void note_recent(const std::filesystem::path& file, Preferences& preferences) {
  const std::string path = file.string();
  std::vector<std::string>& recent = preferences.recent;
  if (!recent.empty() && recent.front() == path) return;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

}  // namespace lanescope::view
