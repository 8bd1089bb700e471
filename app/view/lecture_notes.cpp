#include "view/lecture_notes.h"

#include "view/prose.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

std::string count_text(const session::LectureState& lecture) {
  return fmt::format("{} / {}", lecture.step + 1, lecture.lecture->steps.size());
}

namespace {

constexpr float kNotesSize = 1.25f;

void section(const Theme& theme, std::string_view heading, const session::LectureTexts::Paragraphs& text,
             const TextStyle& style) {
  if (text.empty()) return;
  gap(theme, Space::Huge);
  paragraph(theme, {Face::Strong, kSmallText, Color::of(Role::Dim)}, heading);
  gap(theme, Space::Small);
  draw_prose(theme, style, text);
}

}  // namespace

NotesPage notes_page(const session::Snapshot& now, bool is_covered, plot::Theme mode) {
  const session::LectureState& lecture = *now.lecture;
  const Language language = now.choices.language;
  return {.title = lecture.lecture->title.in(language),
          .count = count_text(lecture),
          .is_covered = is_covered,
          .language = language,
          .mode = mode,
          .texts = lecture.texts_in(language)};
}

void draw_notes(const Theme& theme, const NotesPage& page, int minutes) {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Huge), theme.space(Space::Huge)));
  ImGui::Begin("notes", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  const auto text = [&](Text id) { return say(page.language, id); };
  const TextStyle large{Face::Regular, kNotesSize, Color::of(Role::Ink)},
      ordinary{Face::Regular, 1, Color::of(Role::Ink)}, dim{Face::Regular, 1, Color::of(Role::Dim)};
  paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)},
            fmt::format("{}   {}   {}", page.count, page.title,
                        phrase(page.language, Text::lecture_minutes, minutes)));
  section(theme, text(Text::lecture_notes_title), page.texts.notes, large);
  section(theme, text(Text::lecture_now), page.texts.say, ordinary);
  section(theme, text(Text::lecture_then), page.texts.reveal, page.is_covered ? dim : ordinary);
  if (page.texts.after.empty()) {
    gap(theme, Space::Huge);
    paragraph(theme, dim, text(Text::lecture_is_last));
  } else {
    section(theme, text(Text::lecture_after), page.texts.after, dim);
  }
  ImGui::End();
}

}  // namespace lanescope::view
