#include "view/dialogs/lecture_export_dialog.h"

#include "session/lecture_state.h"
#include "view/widgets.h"

#include <array>
#include <system_error>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

namespace fs = std::filesystem;

/// Endings of the formats, and their names.
constexpr std::array<std::pair<const char*, const char*>, 4> kFormats{
    {{".pdf", "PDF"}, {".png", "PNG"}, {".apng", "APNG"}, {".mp4", "MP4"}}};

}  // namespace

void LectureExportDialog::open(const session::Snapshot& now) {
  opens_ = true;
  steps_.clear();
  path_.begin(free_place(now.lecture->lecture->name + kFormats.front().first));
}

void LectureExportDialog::draw_formats(const Theme& theme) {
  std::vector<Segment> formats;
  int selected = -1;
  for (const auto& [ending, name] : kFormats) {
    if (path_.path().extension() == ending) selected = static_cast<int>(formats.size());
    formats.push_back({name, name, ""});
  }
  const int pressed = segments(theme, "format", formats, selected);
  if (pressed < 0) return;
  path_.begin(free_place(path_.path().replace_extension(kFormats[static_cast<size_t>(pressed)].first)));
}

void LectureExportDialog::start(const Context& context) const {
  std::error_code ignored;
  const fs::path file = fs::absolute(path_.path(), ignored).lexically_normal();
  context.actions.export_lecture({.lecture = context.now.lecture->lecture->file,
                                  .file = file,
                                  .steps = steps_,
                                  .mode = context.theme.mode,
                                  .language = context.language()});
  context.notify(context.phrase(Text::lecture_exporting, file.string()));
}

void LectureExportDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "lecture_export_dialog", opens_, 38, [&] {
    if (!context.now.lecture) return ImGui::CloseCurrentPopup();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::lecture_export_title));
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::lecture_export_what));
    gap(theme, Space::Small);
    draw_formats(theme);
    gap(theme, Space::Small);
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Ink)}, context.text(Text::lecture_export_steps));
    text_field(theme, "###steps", steps_, theme.em(8));
    gap(theme, Space::Small);
    if (path_.draw(context, Text::window_export)) {
      ImGui::CloseCurrentPopup();
      start(context);
    }
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
