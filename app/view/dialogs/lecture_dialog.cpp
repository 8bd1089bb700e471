#include "view/dialogs/lecture_dialog.h"

#include "lesson/lecture.h"
#include "view/widgets.h"

#include <system_error>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace fs = std::filesystem;

void LectureDialog::open(std::vector<std::string> panels) {
  opens_ = true;
  panels_ = std::move(panels);
  std::error_code ignored;
  // The lectures of the program stay as they are.
  if (path_.empty()) path_ = fs::absolute(lesson::kLectureFile, ignored).string();
}

session::Notice LectureDialog::add(const Context& context) const {
  const auto number = context.actions.add_to_lecture({.file = path_, .panels = panels_});
  if (!number) return {true, describe(number.error())};
  return {false, context.phrase(Text::lecture_added, *number, path_)};
}

std::optional<session::Notice> LectureDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  draw_dialog(theme, "lecture_dialog", opens_, 38, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::lecture_add_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, context.text(Text::lecture_add_what));
    gap(theme, Space::Small);
    text_field(theme, "###lecture_path", path_, ImGui::GetContentRegionAvail().x);
    gap(theme, Space::Small);
    if (text_button(theme, "add", context.text(Text::lecture_add_button), Weight::Strong)) {
      ImGui::CloseCurrentPopup();
      notice = add(context);
    }
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
  return notice;
}

}  // namespace lanescope::view
