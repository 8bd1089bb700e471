#include "view/dialogs.h"

#include "view/dialog_window.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr std::array<std::string_view, 5> kFormats{"svg", "pdf", "png", "csv", "json"};

}  // namespace

void ExportDialog::open(const Context& context, const plot::Figure* figure) {
  figure_.reset();
  if (figure != nullptr) figure_ = *figure;
  opening_ = true;
  const std::string kernel = context.now.run ? context.now.run->kernel : "lanescope";
  const std::string path = figure != nullptr ? fmt::format("{}-{}.svg", kernel, figure->name) : std::string();
  path_.fill('\0');
  path.copy(path_.data(), path_.size() - 1);
}

void ExportDialog::set_extension(std::string_view extension) {
  std::filesystem::path path(path_.data());
  path.replace_extension(extension);
  path_.fill('\0');
  path.string().copy(path_.data(), path_.size() - 1);
}

std::optional<session::Notice> ExportDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  std::optional<session::Notice> notice;
  if (opening_) ImGui::OpenPopup("export_dialog");
  opening_ = false;
  center_next_window(theme, 38);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Huge), theme.space(Space::Huge)));
  if (ImGui::BeginPopupModal("export_dialog", nullptr, kDialogFlags)) {
    if (wants_to_leave()) ImGui::CloseCurrentPopup();
    const std::string title = figure_ ? context.phrase(Text::window_export_title, figure_->title)
                                      : std::string(context.text(Text::window_nothing_to_export));
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, title);
    if (figure_) {
      ImGui::Dummy({0, theme.space(Space::Small)});
      std::vector<Segment> formats;
      int selected = -1;
      const std::string extension = std::filesystem::path(path_.data()).extension().string();
      for (const std::string_view format : kFormats) {
        if (extension.size() == format.size() + 1 && extension.ends_with(format))
          selected = static_cast<int>(formats.size());
        std::string label(format);
        std::ranges::transform(label, label.begin(),
                               [](char c) { return static_cast<char>(std::toupper(c)); });
        formats.push_back({std::string(format), label, ""});
      }
      const int pressed = segments(theme, "format", formats, selected);
      if (pressed >= 0) set_extension(kFormats[static_cast<size_t>(pressed)]);
      ImGui::Dummy({0, theme.space(Space::Small)});
      ImGui::SetNextItemWidth(-1);
      const bool entered =
          ImGui::InputText("##file", path_.data(), path_.size(), ImGuiInputTextFlags_EnterReturnsTrue);
      paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, figure_->source);
      ImGui::Dummy({0, theme.space(Space::Small)});
      if (text_button(theme, "save", context.text(Text::window_save), Weight::Strong) || entered) {
        const std::filesystem::path file(path_.data());
        const Result<void> result = context.actions.export_figure(*figure_, file);
        notice = result ? session::Notice{false, context.phrase(Text::window_exported, file.string())}
                        : session::Notice{true, describe(result.error())};
        ImGui::CloseCurrentPopup();
      }
      ImGui::SameLine();
    } else {
      paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)},
                context.text(Text::window_nothing_to_export_why));
      ImGui::Dummy({0, theme.space(Space::Small)});
    }
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return notice;
}

void HelpOverlay::draw(const Context& context) {
  const Theme& theme = context.theme;
  if (opening_) ImGui::OpenPopup("help");
  opening_ = false;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Huge), theme.space(Space::Huge)));
  center_next_window(theme, 52);
  if (ImGui::BeginPopupModal("help", nullptr, kDialogFlags)) {
    if (wants_to_leave() || (ImGui::IsKeyPressed(ImGuiKey_F1, false) && !ImGui::IsWindowAppearing()))
      ImGui::CloseCurrentPopup();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_keys));
    ImGui::Dummy({0, theme.space(Space::Small)});
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
    if (context.now.choices.lesson) {
      for (const lesson::Toggle& toggle : context.now.choices.lesson->toggles)
        if (toggle.key != 0)
          row(std::string_view(&toggle.key, 1),
              fmt::format("{}: {}", toggle.label.in(context.language()), toggle.hint.in(context.language())));
      row("K", context.text(Text::window_key_kernel));
    }
    row("Ctrl  O", context.text(Text::window_key_open));
    row("L", context.text(Text::window_key_theme));
    row("Ctrl  +  −  0", context.text(Text::window_key_text));
    row("F2", context.text(Text::window_key_projector));
    row("F1", context.text(Text::window_key_help));
    ImGui::Dummy({0, theme.space(Space::Small)});
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_mouse_help));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
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
