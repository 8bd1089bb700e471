#include "view/source/source_bar.h"

#include "view/source/source_marks.h"
#include "view/widgets.h"

#include <algorithm>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using Which = session::ChooseText::Which;

namespace {

/// Whether it was pressed; a light one on the color of the panel.
bool add(Pills& pills, const Context& context, const char* id, Text label, std::string_view tip,
         bool is_strong = false) {
  const bool pressed = pills.add(id, context.text(label), is_strong ? Role::Accent : Role::AccentSoft,
                                 is_strong ? Role::OnAccent : Role::Ink);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) tooltip(context.theme, tip);
  return pressed;
}

void draw_files(Pills& pills, const Context& context, const SourceBar& bar, SourceRequests& requests) {
  const auto& files = bar.sources->files;
  if (files.size() < 2) return;
  for (size_t n = 0; n < files.size(); ++n) {
    const std::string label = file_name(files[n].name) + (files[n].is_saved ? "" : " *");
    const bool is_shown = n == bar.shown;
    if (pills.add(fmt::format("file{}", n).c_str(), label, is_shown ? Role::Accent : Role::Sunken,
                  is_shown ? Role::OnAccent : Role::Ink))
      requests.file = n;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
      tooltip(context.theme, context.shown(files[n].path));
  }
}

void draw_toggle(Pills& pills, const Context& context, const SourceBar& bar, SourceRequests& requests) {
  if (bar.toggle == nullptr || !context.now.choices.lesson) return;
  const lesson::Toggle* toggle = lesson::find_toggle(*context.now.choices.lesson, bar.toggle->toggle);
  if (toggle == nullptr || bar.toggle->file >= bar.sources->files.size()) return;
  const std::string label =
      context.phrase(Text::window_toggle_rules, toggle->label.in(context.language()),
                     file_name(bar.sources->files[bar.toggle->file].name), bar.toggle->line);
  requests.toggle_line = pills.add("toggle_line", label, Role::AccentSoft, Role::Accent);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
    tooltip(context.theme, context.text(Text::window_toggle_rules_tip));
}

void draw_editing(Pills& pills, const Context& context, const SourceBar& bar, const session::SourceText& text,
                  SourceRequests& requests) {
  requests.edit |=
      add(pills, context, "edit", Text::window_edit_done, context.text(Text::window_edit_done_tip), true);
  requests.save |=
      add(pills, context, "save", Text::window_save_text,
          context.phrase(Text::window_save_text_tip, context.shown(text.target)), !text.is_saved);
  requests.save_as =
      add(pills, context, "save_as", Text::window_save_as, context.text(Text::window_save_as_title));
  requests.find |= add(pills, context, "find", Text::window_find, context.text(Text::window_find_tip));
  const auto half = [&](const char* id, Text label, bool is_enabled) {
    ImGui::BeginDisabled(!is_enabled);
    const std::string_view whole = context.text(label);
    const bool pressed = pills.add(id, whole.substr(0, whole.find("  (")), Role::AccentSoft,
                                   is_enabled ? Role::Ink : Role::Dim);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) tooltip(context.theme, whole);
    ImGui::EndDisabled();
    return pressed;
  };
  requests.undo = half("undo", Text::window_undo, bar.can_undo);
  requests.redo = half("redo", Text::window_redo, bar.can_redo);
}

/// The texts that there are besides the edited one, and where that is.
void draw_state(Pills& pills, const Context& context, const session::SourceText& text,
                SourceRequests& requests) {
  if (text.is_edited && add(pills, context, "original", Text::window_original,
                            context.phrase(Text::window_original_tip, context.shown(text.path))))
    requests.choose = Which::Original;
  const bool is_copy_shown = text.is_edited && text.is_saved;
  if (text.has_copy && !is_copy_shown &&
      add(pills, context, "my_copy", Text::window_my_copy,
          context.phrase(Text::window_my_copy_tip, context.shown(text.target))))
    requests.choose = Which::Target;
}

void draw_dispute(const Context& context, const session::SourceText& text, SourceRequests& requests) {
  if (text.dispute == session::Dispute::None) return;
  const bool is_copy = text.dispute == session::Dispute::CopyExists;
  const float indent = context.theme.space(Space::Large);
  ImGui::Indent(indent);
  paragraph(context.theme, {Face::Strong, kSmallText, Color::of(Role::Bad)},
            is_copy ? context.phrase(Text::window_copy_exists, context.shown(text.target))
                    : std::string(context.text(Text::window_file_changed)));
  Pills pills(context.theme);
  if (pills.add("keep", context.text(is_copy ? Text::window_replace : Text::window_keep_edits), Role::Accent,
                Role::OnAccent)) {
    requests.replace = is_copy;
    if (!is_copy) requests.choose = Which::Edited;
  }
  if (pills.add("take", context.text(is_copy ? Text::window_take_copy : Text::window_take_file),
                Role::AccentSoft, Role::Ink))
    requests.choose = is_copy ? Which::Target : Which::Original;
  pills.finish();
  ImGui::Unindent(indent);
}

}  // namespace

SourceRequests draw_source_bar(const Context& context, const SourceBar& bar) {
  SourceRequests requests;
  const Theme& theme = context.theme;
  const session::SourceText& text = bar.sources->files[bar.shown];
  const auto shortcut = [](ImGuiKey key) {
    return ImGui::Shortcut(ImGuiMod_Ctrl | key, ImGuiInputFlags_RouteGlobal);
  };
  const float indent = theme.space(Space::Large);
  ImGui::Indent(indent);
  Pills pills(theme);
  draw_files(pills, context, bar, requests);
  if (!bar.is_editing) draw_toggle(pills, context, bar, requests);
  if (bar.is_editing) {
    requests.find = shortcut(ImGuiKey_F);
    draw_editing(pills, context, bar, text, requests);
  } else {
    ImGui::BeginDisabled(bar.is_too_large);
    requests.edit = add(pills, context, "edit", Text::window_edit, context.text(Text::window_edit_tip));
    ImGui::EndDisabled();
    if (bar.is_too_large && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      tooltip(theme, context.text(Text::window_edit_too_large));
    if (!text.is_saved)
      requests.save = add(pills, context, "save", Text::window_save_text,
                          context.phrase(Text::window_save_text_tip, context.shown(text.target)), true);
  }
  draw_state(pills, context, text, requests);
  pills.finish();
  ImGui::Unindent(indent);
  draw_dispute(context, text, requests);
  if (shortcut(ImGuiKey_E) && !bar.is_too_large) requests.edit = true;
  if (shortcut(ImGuiKey_S)) requests.save = true;
  return requests;
}

FindBar::Request FindBar::draw(const Context& context, bool is_found) {
  Request request;
  if (!is_open_) return request;
  const Theme& theme = context.theme;
  const float indent = theme.space(Space::Large);
  ImGui::Indent(indent);
  const float gap = theme.space(Space::Small);
  const float width = (ImGui::GetContentRegionAvail().x - indent - gap) / 2;
  const auto field = [&](const char* id, std::string& text, Text hint) {
    const bool entered = text_field(theme, id, text, width, false, context.text(hint)) &&
                         ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    const ImVec2 corner = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
    if (text.empty() && !ImGui::IsItemActive())
      draw_text(theme, *ImGui::GetWindowDrawList(),
                {corner.x + theme.space(Space::Medium), (corner.y + end.y) / 2},
                {Face::Regular, 1, Color::of(Role::Dim)}, context.text(hint));
    return entered;
  };
  if (is_opening_) ImGui::SetKeyboardFocusHere();
  is_opening_ = false;
  request.next = field("##find", text_, Text::window_find);
  if (ImGuiInputTextState* const typing = ImGui::GetInputTextState(ImGui::GetItemID());
      typing != nullptr && ImGui::IsItemActive() && std::exchange(is_selecting_, false))
    typing->SelectAll();
  if (request.next) ImGui::SetKeyboardFocusHere(-1);  // to go on
  ImGui::SameLine(0, gap);
  request.replace = field("##replace", by_, Text::window_replace);
  Pills pills(theme);
  request.next |= pills.add("find_next", context.text(Text::window_find_next), Role::Accent, Role::OnAccent);
  request.replace |= pills.add("replace", context.text(Text::window_replace), Role::AccentSoft, Role::Ink);
  request.replace_all =
      pills.add("replace_all", context.text(Text::window_replace_all), Role::AccentSoft, Role::Ink);
  request.closed = pills.add("find_close", context.text(Text::window_close), Role::AccentSoft, Role::Ink);
  if (!is_found && !text_.empty())
    pills.add("find_none", context.text(Text::window_find_none), Role::Surface, Role::Bad);
  pills.finish();
  ImGui::Unindent(indent);
  request.closed |= ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  return request;
}

}  // namespace lanescope::view
