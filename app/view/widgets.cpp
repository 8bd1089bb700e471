#include "view/widgets.h"

#include "view/control_name.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

ImVec2 measure(const Theme& theme, Face face, float em_pixels, std::string_view text) {
  return theme.font(face)->CalcTextSizeA(theme.font_size(face, em_pixels), FLT_MAX, 0, begin_of(text),
                                         end_of(text));
}

/// Calls f(line) for each line of `text` wrapped to `width`.
template <class F>
void for_each_wrapped_line(const Theme& theme, const TextStyle& style, std::string_view text, float width,
                           F&& f) {
  const float size = theme.font_size(style.face, theme.em(style.relative));
  const char* at = begin_of(text);
  const char* const end = end_of(text);
  while (at < end) {
    const char* stop = theme.font(style.face)->CalcWordWrapPosition(size, at, end, width);
    if (stop == at) stop = at + 1;
    const char* newline = std::find(at, stop, '\n');
    stop = newline;
    f(std::string_view(at, static_cast<size_t>(stop - at)));
    at = stop;
    while (at < end && *at == ' ') ++at;
    if (at < end && *at == '\n') ++at;
  }
}

/// Longest beginning of `text`, in whole UTF-8 characters, that is at most `room` wide with an ellipsis.
std::string shortened(const Theme& theme, Face face, float em_pixels, std::string_view text, float room) {
  constexpr std::string_view kEllipsis = "…";
  const float rest = room - measure(theme, face, em_pixels, kEllipsis).x;
  if (rest <= 0) return {};
  const char* stop = nullptr;
  theme.font(face)->CalcTextSizeA(theme.font_size(face, em_pixels), rest, 0, begin_of(text), end_of(text),
                                  &stop);
  std::string result(begin_of(text), stop);
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result += kEllipsis;
}

}  // namespace

float text_width(const Theme& theme, Face face, float relative, std::string_view text) {
  return measure(theme, face, theme.em(relative), text).x;
}

float draw_text(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const TextStyle& style,
                std::string_view text, float room) {
  const float em = theme.em(style.relative);
  const ImVec2 size = measure(theme, style.face, em, text);
  std::string cut;
  if (size.x > room + 0.5f) {
    cut = shortened(theme, style.face, em, text, room);
    text = cut;
  }
  const ImVec2 at{std::floor(left_middle.x), std::floor(left_middle.y - size.y / 2)};
  list.AddText(theme.font(style.face), theme.font_size(style.face, em), at, theme.color(style.color),
               begin_of(text), end_of(text));
  return left_middle.x + std::min(size.x, room);
}

void gap(const Theme& theme, Space space) { ImGui::Dummy({0, theme.space(space)}); }

float paragraph(const Theme& theme, const TextStyle& style, std::string_view text) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float line = std::round(theme.em(style.relative) * kLineSpacing);
  float y = start.y;
  for_each_wrapped_line(theme, style, text, width, [&](std::string_view part) {
    draw_text(theme, *ImGui::GetWindowDrawList(), {start.x, y + line / 2}, style, part);
    y += line;
  });
  ImGui::Dummy({width, y - start.y});
  return y - start.y;
}

float paragraph_height(const Theme& theme, const TextStyle& style, std::string_view text, float width) {
  int lines = 0;
  for_each_wrapped_line(theme, style, text, width, [&](std::string_view) { ++lines; });
  return static_cast<float>(lines) * std::round(theme.em(style.relative) * kLineSpacing);
}

ImRect draw_badge(const Context& context, ImDrawList& list, ImVec2 right_middle, Provenance provenance,
                  std::string_view more, float room) {
  const auto [word, role] = [&]() -> std::pair<Text, Role> {
    switch (provenance) {
      case Provenance::Measured:
        return {Text::measured_badge, Role::Measured};
      case Provenance::Recorded:
        return {Text::recorded_badge, Role::Recorded};
      case Provenance::Emulated:
        return {Text::emulated_badge, Role::Emulated};
      case Provenance::Traced:
        return {Text::traced_badge, Role::Emulated};
      case Provenance::Modelled:
        break;
    }
    return {Text::modelled_badge, Role::Modelled};
  }();
  std::string label{more.empty() ? context.text(word) : more};
  const Theme& theme = context.theme;
  const TextStyle style{Face::Strong, 0.8f, Color::of(role)};
  const auto width_of = [&] { return text_width(theme, style.face, style.relative, label) + theme.em(1.2f); };
  if (width_of() > room)
    label.resize(
        static_cast<size_t>(ImTextCountUtf8BytesFromChar(label.data(), label.data() + label.size())));
  const float width = width_of();
  if (width > room) {
    const float side = std::min(theme.em(0.7f), room);
    const ImRect dot(right_middle.x - side, right_middle.y - side / 2, right_middle.x,
                     right_middle.y + side / 2);
    if (side >= theme.em(0.4f)) list.AddCircleFilled(dot.GetCenter(), side / 2, theme.color(role));
    return dot;
  }
  const float height = std::round(theme.em(1.45f));
  const ImVec2 corner{std::floor(right_middle.x - width), std::floor(right_middle.y - height / 2)};
  const ImRect box(corner, {std::floor(right_middle.x), corner.y + height});
  list.AddRectFilled(box.Min, box.Max, theme.color(role, 0.1f), height / 2);
  list.AddRect(box.Min, box.Max, theme.color(role), height / 2, theme.scale);
  draw_text(theme, list, {corner.x + theme.em(0.6f), corner.y + height / 2}, style, label);
  return box;
}

Text tip_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return Text::tip_measured;
    case Provenance::Recorded:
      return Text::tip_recorded;
    case Provenance::Emulated:
      return Text::tip_emulated;
    case Provenance::Traced:
      return Text::tip_traced;
    case Provenance::Modelled:
      break;
  }
  return Text::tip_modelled;
}

void progress_bar(const Theme& theme, float share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, theme.em(0.5f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, at + size, theme.color(Role::Sunken), size.y / 2);
  list.AddRectFilled(at, at + ImVec2(size.x * share, size.y), theme.color(Role::Accent), size.y / 2);
  ImGui::Dummy(size);
}

bool empty_state(const Theme& theme, std::string_view why, std::string_view what_to_do,
                 std::string_view button) {
  const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  // A panel that fills its window has no margin of its own.
  const float margin = ImGui::GetCurrentWindow()->WindowPadding.x > 0 ? 0 : theme.space(Space::Large);
  const float width = std::min(room.x - 2 * margin, theme.em(30));
  const TextStyle strong{Face::Strong, 1, Color::of(Role::Dim)},
      plain{Face::Regular, 1, Color::of(Role::Dim)};
  const float button_height = button.empty() ? 0 : theme.control_height() + theme.space(Space::Medium);
  const float height = paragraph_height(theme, strong, why, width) +
                       paragraph_height(theme, plain, what_to_do, width) + button_height;
  const float left = start.x + std::max(0.0f, (room.x - width) / 2);
  ImGui::SetCursorScreenPos({left, start.y + std::max(0.0f, (room.y - height) * 0.42f)});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("##empty", {width, height}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  paragraph(theme, strong, why);
  paragraph(theme, plain, what_to_do);
  bool pressed = false;
  if (!button.empty()) {
    gap(theme, Space::Medium);
    pressed = text_button(theme, "##what_to_do", button);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  return pressed;
}

Pills::Pills(const Theme& theme)
    : theme_(theme),
      at_(ImGui::GetCursorScreenPos()),
      left_(at_.x),
      end_(at_.x + ImGui::GetContentRegionAvail().x),
      height_(std::round(std::max(theme.em(1.75f), theme.least_control * theme.scale))) {}

bool Pills::add(const char* id, std::string_view label, plot::Role fill, plot::Role ink,
                std::optional<Icon> mark) {
  const float gap = theme_.space(Space::Small);
  const float text = text_width(theme_, Face::Regular, kSmallText, label);
  const float side = std::round(theme_.em(1)), before = mark ? side + gap : 0;
  const float width = std::round(before + text + theme_.em(1.3f));
  if (at_.x + width > end_ && at_.x > left_) at_ = {left_, at_.y + height_ + gap};
  ImGui::SetCursorScreenPos(at_);
  const bool pressed = ImGui::InvisibleButton(id, {width, height_}, ImGuiButtonFlags_EnableNav);
  name_control(label, fill != Role::Sunken);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 corner = at_ + ImVec2(width, height_);
  const bool is_plain = fill == Role::Sunken;
  list.AddRectFilled(at_, corner, theme_.color(is_plain && ImGui::IsItemHovered() ? Role::AccentSoft : fill),
                     height_ / 2);
  if (is_plain) list.AddRect(at_, corner, theme_.color(Role::Line), height_ / 2, theme_.scale);
  const ImVec2 begin{at_.x + (width - before - text) / 2, at_.y + height_ / 2};
  if (mark) {
    const ImVec2 top{begin.x, begin.y - side / 2};
    draw_icon(list, ImRect(top, top + ImVec2(side, side)), *mark, theme_.color(ink));
  }
  draw_text(theme_, list, {begin.x + before, begin.y}, {Face::Regular, kSmallText, Color::of(ink)}, label);
  at_.x += width + gap;
  return pressed;
}

void Pills::finish() {
  ImGui::SetCursorScreenPos({left_, at_.y});
  ImGui::Dummy({1, height_});
}

float draw_bubble(const Theme& theme, ImVec2 corner, float left, std::string_view label) {
  const TextStyle style{Face::Strong, kSmallText, Color::of(Role::OnAccent)};
  const ImVec2 room{text_width(theme, style.face, style.relative, label) + theme.em(1.2f), theme.em(1.5f)};
  const ImVec2 at{corner.x + left, corner.y - room.y / 2};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(at, at + room, theme.color(Role::Accent), room.y / 2);
  draw_text(theme, list, {at.x + theme.em(0.6f), at.y + room.y / 2}, style, label);
  return left + room.x + theme.space(Space::Medium);
}

void tooltip(const Theme& theme, std::string_view text) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Medium), theme.space(Space::Small) * 1.5f));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(theme.em(28));
    ImGui::TextUnformatted(begin_of(text), end_of(text));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

bool menu_item(const char* label, const char* keys, bool is_chosen, bool is_enabled) {
  const bool pressed = ImGui::MenuItem(label, keys, is_chosen, is_enabled);
  const std::string_view whole(label);
  name_control(whole.substr(0, whole.find("##")), is_chosen);
  return pressed;
}

bool begin_list(const Theme& theme, const std::string& popup) {
  // Half of the room between rows belongs to the row above, half to the one below.
  const ImGuiStyle& style = ImGui::GetStyle();
  const ImVec2 usual = style.ItemSpacing;
  const float of_finger = theme.least_control * theme.scale - ImGui::GetTextLineHeight();
  const float between = std::max(usual.y, of_finger);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(style.WindowPadding.x, std::max(style.WindowPadding.y, between / 2)));
  const bool is_open = ImGui::BeginPopup(popup.c_str());
  ImGui::PopStyleVar();
  if (is_open) ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(usual.x, between));
  return is_open;
}

bool begin_context_list(const Theme& theme, const std::string& popup) {
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
      ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup))
    ImGui::OpenPopup(popup.c_str());
  return begin_list(theme, popup);
}

void end_list() {
  ImGui::PopStyleVar();
  ImGui::EndPopup();
}

}  // namespace lanescope::view
