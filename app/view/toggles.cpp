#include "view/toggles.h"

#include "view/control_name.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {

using plot::Color;
using plot::Role;

const lesson::Toggle* toggle_named(const Context& context, std::string_view name) {
  return context.now.choices.lesson ? lesson::find_toggle(*context.now.choices.lesson, name) : nullptr;
}

bool toggle_applies(const Context& context, const lesson::Toggle& toggle) {
  return lesson::applies(*context.now.choices.lesson, context.now.choices.settings, toggle);
}

std::string without_effect(const Context& context, const lesson::Toggle& toggle) {
  const session::Choices& choices = context.now.choices;
  return context.phrase(Text::window_toggle_without_effect, toggle.label.in(context.language()), toggle.key,
                        lesson::kernel_of(*choices.lesson, choices.settings).label.in(context.language()));
}

int chosen(const Context& context, const lesson::Toggle& toggle) {
  const auto found = context.now.choices.settings.values.find(toggle.name);
  if (found == context.now.choices.settings.values.end()) return -1;
  const auto choice = std::ranges::find(toggle.choices, found->second, &lesson::Choice::value);
  return choice == toggle.choices.end() ? -1 : static_cast<int>(choice - toggle.choices.begin());
}

std::string_view label_of(const Context& context, const lesson::Choice& choice) {
  const std::string& label = choice.label.in(context.language());
  return label.empty() ? choice.value : label;
}

void flip(const Context& context, const lesson::Toggle& toggle, Turn turn) {
  const int count = static_cast<int>(toggle.choices.size());
  if (count == 0 || !toggle_applies(context, toggle)) return;
  const int next = (chosen(context, toggle) + (turn == Turn::Forwards ? 1 : count - 1) + count) % count;
  context.post(session::SetToggle{toggle.name, toggle.choices[static_cast<size_t>(next)].value});
}

bool any_applies(const Context& context, std::span<const std::string> names) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    const lesson::Toggle* toggle = toggle_named(context, name);
    return toggle != nullptr && toggle_applies(context, *toggle);
  });
}

std::span<const std::string> hints(const Context& context) {
  if (!context.now.choices.lesson) return {};
  return lesson::hints_of(*context.now.choices.lesson, name_of(context.panel));
}

void draw_hints(const Context& context, std::span<const std::string> names) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float height = std::round(theme.em(1.5f));
  const float end = start.x + ImGui::GetContentRegionAvail().x;
  float x = start.x;
  const TextStyle dim{Face::Regular, kSmallText, Color::of(Role::Dim)};
  x = draw_text(theme, list, {x, start.y + height / 2}, dim, context.text(Text::window_try)) +
      theme.space(Space::Medium);
  for (const std::string_view name : names) {
    const lesson::Toggle* toggle = toggle_named(context, name);
    if (toggle == nullptr || !toggle_applies(context, *toggle)) continue;
    const std::string key(toggle->key != 0 ? 1 : 0, toggle->key);
    const std::string& label = toggle->label.in(context.language());
    const float label_width = text_width(theme, Face::Regular, kSmallText, label);
    const float width = height + theme.space(Space::Small) + label_width;
    if (x + width > end) break;
    ImGui::SetCursorScreenPos({x, start.y});
    if (ImGui::InvisibleButton(toggle->name.c_str(), {width, height}, ImGuiButtonFlags_EnableNav))
      flip(context, *toggle);
    name_control(label);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip(theme, toggle->hint.in(context.language()));
    const ImVec2 cap{x, start.y};
    list.AddRectFilled(cap, cap + ImVec2(height, height),
                       theme.color(hovered ? Role::Accent : Role::AccentSoft), theme.space(Space::Small));
    const float key_width = text_width(theme, Face::Strong, kSmallText, key);
    draw_text(theme, list, {x + (height - key_width) / 2, start.y + height / 2},
              {Face::Strong, kSmallText, Color::of(hovered ? Role::OnAccent : Role::Accent)}, key);
    draw_text(theme, list, {x + height + theme.space(Space::Small), start.y + height / 2},
              {Face::Regular, kSmallText, Color::of(Role::Accent)}, label);
    x += width + theme.space(Space::Large);
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({std::max(1.0f, end - start.x), height});
}

}  // namespace lanescope::view
