// The pressable half of widgets.h: segments, icons, buttons.

#include "view/control_name.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

bool pressable(const Theme& theme, const char* id, ImVec2 size, Weight weight, std::string_view label,
               std::string_view tip, ImRect* box, ImU32* ink) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
  name_control(label.empty() ? tip : label);
  const bool hovered = ImGui::IsItemHovered();
  *box = ImRect(at, at + size);
  ImU32 fill = theme.color(Role::Surface, 0);
  *ink = theme.color(Role::Ink);
  if (weight == Weight::Strong) {
    fill = theme.color(Role::Accent);
    *ink = theme.color(Role::OnAccent);
  } else if (hovered) {
    fill = theme.color(Role::AccentSoft);
  }
  if (ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled) {
    fill = faded(fill, 0.4f);
    *ink = faded(*ink, 0.4f);
  }
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + size, fill, ImGui::GetStyle().FrameRounding);
  if (hovered && !tip.empty()) tooltip(theme, tip);
  return pressed;
}

}  // namespace

float segments_width(const Theme& theme, std::span<const Segment> choices) {
  float width = 0;
  for (const Segment& choice : choices)
    width += std::round(text_width(theme, Face::Regular, 1, choice.label) + theme.em(1.1f));
  return width;
}

int segments(const Theme& theme, const char* id, std::span<const Segment> choices, int selected,
             std::string_view group) {
  ImGui::PushID(id);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = theme.control_height(), radius = ImGui::GetStyle().FrameRounding;
  const bool disabled = ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled;
  const float opacity = disabled ? 0.45f : 1.0f;
  const float total = segments_width(theme, choices);
  list.AddRectFilled(start, start + ImVec2(total, height), theme.color(Role::Sunken, opacity), radius);
  int pressed = -1;
  float x = start.x;
  for (int n = 0; n < static_cast<int>(choices.size()); ++n) {
    const Segment& choice = choices[static_cast<size_t>(n)];
    const float label = text_width(theme, Face::Regular, 1, choice.label);
    const ImVec2 size{std::round(label + theme.em(1.1f)), height};
    ImGui::SetCursorScreenPos({x, start.y});
    if (ImGui::InvisibleButton(choice.id.c_str(), size, ImGuiButtonFlags_EnableNav)) pressed = n;
    name_control(choice.label, n == selected, group);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && !choice.tip.empty()) tooltip(theme, choice.tip);
    const ImDrawFlags corners = choices.size() == 1                         ? ImDrawFlags_RoundAll
                                : n == 0                                    ? ImDrawFlags_RoundLeft
                                : n + 1 == static_cast<int>(choices.size()) ? ImDrawFlags_RoundRight
                                                                            : ImDrawFlags_RoundNone;
    Color ink = Color::of(Role::Ink, opacity);
    if (n == selected) {
      list.AddRectFilled({x, start.y}, ImVec2{x, start.y} + size, theme.color(Role::Accent, opacity), radius,
                         corners);
      ink = Color::of(Role::OnAccent);
    } else if (hovered) {
      list.AddRectFilled({x, start.y}, ImVec2{x, start.y} + size, theme.color(Role::AccentSoft), radius,
                         corners);
    }
    draw_text(theme, list, {x + (size.x - label) / 2, start.y + height / 2}, {Face::Regular, 1, ink},
              choice.label);
    x += size.x;
  }
  list.AddRect(start, start + ImVec2(total, height), theme.color(Role::Line), radius, theme.scale);
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({total, height});
  ImGui::PopID();
  return pressed;
}

void draw_icon(ImDrawList& list, ImRect box, Icon icon, ImU32 color) {
  const ImVec2 middle = box.GetCenter();
  const float unit = std::min(box.GetWidth(), box.GetHeight()) / 20;  // icons are drawn on a grid of 20
  const auto at = [&](float x, float y) { return middle + ImVec2(x * unit, y * unit); };
  const auto triangle = [&](float left, float right) {
    list.AddTriangleFilled(at(left, -5), at(right, 0), at(left, 5), color);
  };
  const auto bar = [&](float x) { list.AddRectFilled(at(x, -5), at(x + 2, 5), color); };
  const auto stroke = [&](ImVec2 a, ImVec2 b, float width = 1.8f) {
    list.AddLine(a, b, color, width * unit);
  };
  switch (icon) {
    case Icon::First:
      bar(-6);
      triangle(5, -4);
      break;
    case Icon::Previous:
      triangle(4, -5);
      break;
    case Icon::Play:
      triangle(-3.5f, 5.5f);
      break;
    case Icon::Pause:
      list.AddRectFilled(at(-4, -5), at(-1, 5), color);
      list.AddRectFilled(at(1, -5), at(4, 5), color);
      break;
    case Icon::Next:
      triangle(-4, 5);
      break;
    case Icon::Last:
      bar(4);
      triangle(-5, 4);
      break;
    case Icon::Up:
      stroke(at(-4, 2), at(0, -2));
      stroke(at(0, -2), at(4, 2));
      break;
    case Icon::Down:
    case Icon::Open:
      stroke(at(-4, -2), at(0, 2));
      stroke(at(0, 2), at(4, -2));
      break;
    case Icon::Light:
      list.AddCircleFilled(middle, 3.2f * unit, color);
      for (int ray = 0; ray < 8; ++ray) {
        const float angle = static_cast<float>(ray) * IM_PI / 4;
        const ImVec2 direction{std::cos(angle), std::sin(angle)};
        stroke(middle + direction * (4.6f * unit), middle + direction * (6.6f * unit), 1.5f);
      }
      break;
    case Icon::Dark: {
      // A crescent: a disc of radius 6 without a disc of radius 5 whose center is 4 away, up and right.
      // The law of cosines gives the intersection of the two circles.
      constexpr float kOuter = 6, kInner = 5, kApart = 4, kDirection = -0.7f;
      const float from_outer =
          std::acos((kApart * kApart + kOuter * kOuter - kInner * kInner) / (2 * kApart * kOuter));
      const float from_inner =
          std::acos((kApart * kApart + kInner * kInner - kOuter * kOuter) / (2 * kApart * kInner));
      const ImVec2 other = at(kApart * std::cos(kDirection), kApart * std::sin(kDirection));
      list.PathArcTo(middle, kOuter * unit, kDirection + from_outer, kDirection + 2 * IM_PI - from_outer, 28);
      list.PathArcTo(other, kInner * unit, kDirection + IM_PI + from_inner, kDirection + IM_PI - from_inner,
                     20);
      list.PathFillConcave(color);
      break;
    }
    case Icon::Minus:
      stroke(at(-4, 0), at(4, 0));
      break;
    case Icon::Plus:
      stroke(at(-4, 0), at(4, 0));
      stroke(at(0, -4), at(0, 4));
      break;
    case Icon::Check:
      stroke(at(-5, 0), at(-1.5f, 4), 2);
      stroke(at(-1.5f, 4), at(5, -4), 2);
      break;
    case Icon::Shown:
      list.PathArcTo(at(0, 5), 8 * unit, IM_PI * 1.25f, IM_PI * 1.75f, 12);
      list.PathArcTo(at(0, -6), 8 * unit, IM_PI * 0.25f, IM_PI * 0.75f, 12);
      list.PathStroke(color, 1.8f * unit, ImDrawFlags_Closed);
      list.AddCircleFilled(at(0, -0.4f), 2 * unit, color);
      break;
    case Icon::Hidden:
      list.PathArcTo(at(0, -6), 8 * unit, IM_PI * 0.2f, IM_PI * 0.8f, 12);
      list.PathStroke(color, 1.8f * unit);
      stroke(at(0, 2), at(0, 5));
      stroke(at(-4, 1), at(-5.5f, 3.5f));
      stroke(at(4, 1), at(5.5f, 3.5f));
      break;
    case Icon::Cross:
      stroke(at(-4, -4), at(4, 4));
      stroke(at(-4, 4), at(4, -4));
      break;
    case Icon::Swap:
      for (const float side : {-1.0f, 1.0f}) {
        stroke(at(-5, 3 * side), at(5, 3 * side));
        stroke(at(5 * side, 3 * side), at(2 * side, 3 * side - 2.5f));
        stroke(at(5 * side, 3 * side), at(2 * side, 3 * side + 2.5f));
      }
      break;
  }
}

bool icon_button(const Theme& theme, const char* id, Icon icon, std::string_view tip, Weight weight) {
  const float side = theme.control_height();
  ImRect box;
  ImU32 ink = 0;
  const bool pressed = pressable(theme, id, {side, side}, weight, {}, tip, &box, &ink);
  const float margin = side * 0.1f;
  box.Expand(-margin);
  draw_icon(*ImGui::GetWindowDrawList(), box, icon, ink);
  return pressed;
}

bool text_button(const Theme& theme, const char* id, std::string_view label, Weight weight) {
  const float width = text_width(theme, Face::Regular, 1, label);
  const ImVec2 size{std::round(width + theme.em(1.4f)), theme.control_height()};
  ImRect box;
  ImU32 ink = 0;
  const bool pressed = pressable(theme, id, size, weight, label, {}, &box, &ink);
  if (weight == Weight::Plain)
    ImGui::GetWindowDrawList()->AddRect(box.Min, box.Max, theme.color(Role::Line),
                                        ImGui::GetStyle().FrameRounding, theme.scale);
  draw_text(theme, *ImGui::GetWindowDrawList(), {box.Min.x + (size.x - width) / 2, box.GetCenter().y},
            {Face::Regular, 1, Color::of(weight == Weight::Strong ? Role::OnAccent : Role::Ink)}, label);
  return pressed;
}

bool text_field(const Theme& theme, const char* id, std::string& text, float width, bool wrong,
                std::string_view tip) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& edited = *static_cast<std::string*>(data->UserData);
    edited.resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = edited.data();
    return 0;
  };
  const ColorScope edge(ImGuiCol_Border, theme.color(wrong ? Role::Bad : Role::Line));
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputText(
      id, text.data(), text.capacity() + 1,
      ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue, resize, &text);
  name_control(tip.empty() ? std::string_view(text) : tip);
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  if (!tip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) tooltip(theme, tip);
  return entered || left;
}

}  // namespace lanescope::view
