#include "view/dialogs/dialogs.h"

#include "plot/wording.h"
#include "session/settings_text.h"
#include "view/widgets.h"

#include <algorithm>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

namespace fs = std::filesystem;

/// "transpose-tiled-padding_1": the kernel, and the settings that are not its own, as the name of a file.
std::string file_name_of(const session::Snapshot& now) {
  const session::Choices& choices = now.choices;
  if (!choices.lesson) return now.run ? now.run->kernel : "lanescope";
  const lesson::Lesson& lesson = *choices.lesson;
  std::string name = lesson.name + "-" + choices.settings.kernel;
  const auto presets =
      lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", choices.settings.kernel);
  for (const lesson::Toggle& toggle : lesson.toggles) {
    const auto value = choices.settings.values.find(toggle.name);
    if (value == choices.settings.values.end() || !lesson::applies(lesson, choices.settings, toggle))
      continue;
    const bool is_preset = presets && presets->values.at(toggle.name) == value->second;
    if (!is_preset) name += fmt::format("-{}_{}", toggle.name, value->second);
  }
  std::ranges::replace_if(
      name,
      [](unsigned char c) { return c < 128 && std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.'; },
      '_');
  return name;
}

/// The figure with its kernel and all settings in the caption.
plot::Figure with_caption(plot::Figure figure, const session::Snapshot& now) {
  plot::add_to_subtitle(figure, now.run ? now.run->kernel : std::string());
  plot::add_to_subtitle(figure, session::all_settings(now.choices, now.choices.language));
  return figure;
}

enum Runs : int { kBoth, kRunA, kRunB };  // as the segments stand

}  // namespace

void ExportDialog::begin(const fs::path& path) {
  opens_ = true;
  path_.begin(path);
}

void ExportDialog::open(const Context& context, const plot::Figure* figure, const plot::Figure* of_a) {
  figures_.clear();
  is_of_window_ = false;
  if (figure == nullptr) return begin({});
  std::string file = file_name_of(context.now);
  if (of_a != nullptr && context.now.pinned) {
    figures_.push_back(with_caption(*of_a, *context.now.pinned));
    file += "-beside-" + file_name_of(*context.now.pinned);
  }
  figures_.push_back(with_caption(*figure, context.now));
  runs_ = kBoth;
  begin(free_place(fs::path(file + "-" + figure->name + ".svg")));
}

void ExportDialog::open_for_window(const Context& context) {
  figures_.clear();
  is_of_window_ = true;
  begin(free_place(fs::path(file_name_of(context.now) + ".png")));
}

std::vector<plot::Figure> ExportDialog::chosen_figures() const {
  if (figures_.size() < 2 || runs_ == kBoth) return figures_;
  return {figures_[runs_ == kRunA ? 0 : 1]};
}

std::optional<session::Notice> ExportDialog::save(const Context& context) {
  ImGui::CloseCurrentPopup();
  const fs::path file = path_.path();
  if (is_of_window_) {
    context.actions.take_picture({.figures = {}, .file = file});
    return {};
  }
  const Result<void> result = context.actions.export_figures(chosen_figures(), file);
  if (!result) return session::Notice{true, describe(result.error())};
  std::error_code ignored;
  return session::Notice{false,
                         context.phrase(Text::window_exported, context.shown(fs::absolute(file, ignored)))};
}

void ExportDialog::draw_formats(const Context& context) {
  std::vector<Segment> formats;
  int selected = -1;
  const std::string extension = path_.path().extension().string();
  for (const std::string& format : context.actions.figure_formats) {
    if (extension.size() == format.size() + 1 && extension.ends_with(format))
      selected = static_cast<int>(formats.size());
    std::string label = format;
    std::ranges::transform(label, label.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    formats.push_back({format, label, ""});
  }
  const int pressed = segments(context.theme, "format", formats, selected);
  if (pressed >= 0)
    path_.begin(free_place(path_.path().replace_extension(formats[static_cast<size_t>(pressed)].id)));
  gap(context.theme, Space::Small);
}

/// Of two runs that are compared: both in one file, or one of them.
void ExportDialog::draw_runs(const Context& context) {
  const std::vector<Segment> runs{
      {"both", std::string(context.text(Text::window_export_both)), ""}, {"a", "A", ""}, {"b", "B", ""}};
  if (const int pressed = segments(context.theme, "runs", runs, runs_); pressed >= 0) runs_ = pressed;
  gap(context.theme, Space::Small);
}

/// Where it goes, and the buttons that send it there.
std::optional<session::Notice> ExportDialog::draw_file(const Context& context) {
  const Theme& theme = context.theme;
  gap(theme, Space::Small);
  if (figures_.size() > 1) draw_runs(context);
  if (!figures_.empty()) {
    draw_formats(context);
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, figures_.back().source);
  }
  std::optional<session::Notice> notice;
  if (path_.draw(context, Text::window_save)) notice = save(context);
  ImGui::SameLine();
  if (text_button(theme, "copy", context.text(Text::window_copy_picture))) {
    ImGui::CloseCurrentPopup();
    context.actions.take_picture({.figures = chosen_figures(), .file = {}});
  }
  ImGui::SameLine();
  return notice;
}

std::optional<session::Notice> ExportDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  draw_dialog(theme, "export_dialog", opens_, 38, [&] {
    const bool has_figure = !figures_.empty();
    const std::string title = has_figure ? context.phrase(Text::window_export_title, figures_.back().title)
                              : is_of_window_ ? std::string(context.text(Text::window_export_window))
                                              : std::string(context.text(Text::window_nothing_to_export));
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, title);
    if (has_figure || is_of_window_) {
      notice = draw_file(context);
    } else {
      paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)},
                context.text(Text::window_nothing_to_export_why));
      gap(theme, Space::Small);
    }
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
  return notice;
}

namespace {

/// The rest of a dialog: as high as what it has, or as the window has room for; then it scrolls, also by
/// keys.
void begin_scrolled(const Theme& theme) {
  const float room = ImGui::GetMainViewport()->Size.y - theme.em(2) - 6 * theme.space(Space::Huge);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(room, theme.em(6))});
  ImGui::BeginChild("scrolled", {0, 0}, ImGuiChildFlags_AutoResizeY);
  const float row = theme.em(1.7f), page = ImGui::GetWindowHeight() - row;
  const auto scroll = [](ImGuiKey key, float by) {
    if (ImGui::IsKeyPressed(key))
      ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
  };
  scroll(ImGuiKey_DownArrow, row);
  scroll(ImGuiKey_UpArrow, -row);
  scroll(ImGuiKey_PageDown, page);
  scroll(ImGuiKey_PageUp, -page);
}

}  // namespace

void HelpOverlay::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "help", opens_, 52, [&] {
    if (ImGui::IsKeyPressed(ImGuiKey_F1, false) && !ImGui::IsWindowAppearing()) ImGui::CloseCurrentPopup();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_keys));
    gap(theme, Space::Small);
    begin_scrolled(theme);
    const auto row = [&](std::string_view keys, std::string_view what) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float height = std::round(theme.em(1.7f)), cap = std::round(theme.em(1.45f));
      ImDrawList& list = *ImGui::GetWindowDrawList();
      const float width = std::max(cap, text_width(theme, Face::Strong, kSmallText, keys) + theme.em(0.9f));
      const ImVec2 corner{at.x, at.y + (height - cap) / 2};
      list.AddRectFilled(corner, corner + ImVec2(width, cap), theme.color(Role::Sunken),
                         theme.space(Space::Small));
      list.AddRect(corner, corner + ImVec2(width, cap), theme.color(Role::Line), theme.space(Space::Small),
                   theme.scale);
      draw_text(theme, list, {at.x + theme.em(0.45f), at.y + height / 2},
                {Face::Strong, kSmallText, Color::of(Role::Ink)}, keys);
      draw_text(theme, list, {at.x + theme.em(9), at.y + height / 2},
                {Face::Regular, 1, Color::of(Role::Ink)}, what,
                ImGui::GetContentRegionAvail().x - theme.em(9));
      ImGui::Dummy({theme.em(30), height});
    };
    row("← →", context.text(Text::window_key_step));
    row("Home  End", context.text(Text::window_key_ends));
    row("↑ ↓", context.text(Text::window_key_line));
    row(context.text(Text::window_space_key), context.text(Text::window_key_play));
    row("[  ]", context.text(Text::window_key_warp));
    row(",  .", context.text(Text::window_key_instruction));
    row("U", context.text(Text::window_key_unit));
    row("<  >", context.text(Text::window_key_speed));
    row("Shift  ← →", context.text(Text::window_key_pin));
    row("F3", context.text(Text::window_key_predict));
    row("F4", context.text(Text::window_key_reveal));
    row("Page Down  Up", context.text(Text::window_key_lecture));
    if (context.now.choices.lesson) {
      for (const lesson::Toggle& toggle : context.now.choices.lesson->toggles)
        if (toggle.key != 0)
          row(std::string_view(&toggle.key, 1),
              fmt::format("{}: {}", toggle.label.in(context.language()), toggle.hint.in(context.language())));
      row("K", context.text(Text::window_key_kernel));
    }
    row("V", context.text(Text::window_key_compare));
    row("Shift  V", context.text(Text::window_key_swap));
    row("F5", context.text(Text::window_key_run_program));
    row("Ctrl  O", context.text(Text::window_key_open));
    row("Ctrl  E", context.text(Text::window_key_edit));
    row("Ctrl  S", context.text(Text::window_key_save));
    row("Ctrl  Z  Y", context.text(Text::window_key_undo));
    row("Alt  F K E V", context.text(Text::window_key_menus));
    row("Tab", context.text(Text::window_key_focus));
    row("Ctrl  C", context.text(Text::window_key_copy));
    row("L", context.text(Text::window_key_theme));
    row("Ctrl  +  −  0", context.text(Text::window_key_text));
    row("F2", context.text(Text::window_key_projector));
    row("F11", context.text(Text::window_key_full_screen));
    row("Enter", context.text(Text::window_key_enlarge));
    row("F12", context.text(Text::window_key_frame_rate));
    row("F1", context.text(Text::window_key_help));
    gap(theme, Space::Small);
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_mouse_help));
    for (const Text word : {Text::tip_access, Text::tip_wavefront, Text::tip_sector})
      paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, context.text(word));
    ImGui::EndChild();
  });
}

void Notices::add(session::Notice notice) {
  said_.push_back(notice.text);
  const double seconds = notice.is_error ? 12 : 5;
  shown_.push_back({std::move(notice), ImGui::GetTime() + seconds});
}

void Notices::draw(const Theme& theme) {
  std::erase_if(shown_, [](const Shown& shown) { return shown.until < ImGui::GetTime(); });
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  float y = viewport->WorkPos.y + viewport->WorkSize.y - theme.space(Space::Huge);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  for (const Shown& shown : shown_) {
    const float room = viewport->WorkSize.x * 0.6f;
    const float text = std::min(text_width(theme, Face::Regular, 1, shown.notice.text), room);
    const ImVec2 size{text + 2 * theme.space(Space::Large),
                      theme.control_height() + theme.space(Space::Small)};
    const ImVec2 corner{viewport->WorkPos.x + viewport->WorkSize.x - size.x - theme.space(Space::Huge),
                        y - size.y};
    const Role role = shown.notice.is_error ? Role::Bad : Role::Good;
    list.AddRectFilled(corner, corner + size, theme.color(Role::Surface), theme.space(Space::Medium));
    list.AddRect(corner, corner + size, theme.color(role), theme.space(Space::Medium), 1.5f * theme.scale);
    draw_text(theme, list, {corner.x + theme.space(Space::Large), corner.y + size.y / 2},
              {Face::Regular, 1, Color::of(Role::Ink)}, shown.notice.text, room);
    y = corner.y - theme.space(Space::Medium);
  }
}

}  // namespace lanescope::view
