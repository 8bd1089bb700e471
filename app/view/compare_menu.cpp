#include "view/compare_menu.h"

#include "session/settings_text.h"
#include "view/comparison.h"
#include "view/toggles.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <algorithm>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr float kMostLabel = 15;  // ems of what A is

std::string button_label(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.pinned) return std::string(context.text(Text::window_compare));
  return "A  " + session::label_against(now.pinned->choices, now.choices, context.language());
}

MenuButton look_of_button(const Context& context) {
  const bool is_pinned = context.now.pinned != nullptr;
  return {.face = is_pinned ? Face::Strong : Face::Regular, .most_label = kMostLabel, .is_lit = is_pinned};
}

float button_width(const Context& context) {
  return menu_button_width(context.theme, button_label(context), look_of_button(context));
}

/// Keeps the run and changes one setting: "Padding: 0 → 1".
void offer_change(const Context& context, const std::string& id, const std::string& label, const char* keys,
                  const session::Command& change) {
  if (!menu_item((label + "###" + id).c_str(), keys)) return;
  context.post(session::Pin{});
  context.post(change);
}

/// Each toggle's next value, and the other kernels.
void offer_changes(const Context& context) {
  const lesson::Lesson& lesson = *context.now.choices.lesson;
  for (const lesson::Toggle& toggle : lesson.toggles) {
    const int count = static_cast<int>(toggle.choices.size()), here = chosen(context, toggle);
    if (count < 2 || here < 0 || !toggle_applies(context, toggle)) continue;
    const lesson::Choice& from = toggle.choices[static_cast<size_t>(here)];
    const lesson::Choice& to = toggle.choices[static_cast<size_t>((here + 1) % count)];
    const std::string keys = toggle.key != 0 ? fmt::format("V {}", toggle.key) : "";
    offer_change(context, "change_" + toggle.name,
                 context.phrase(Text::window_changed, toggle.label.in(context.language()),
                                label_of(context, from), label_of(context, to)),
                 keys.c_str(), session::SetToggle{toggle.name, to.value});
  }
  const std::string kernel =
      lesson::kernel_of(lesson, context.now.choices.settings).label.in(context.language());
  for (const lesson::Kernel& other : lesson.kernels) {
    if (other.name == context.now.choices.settings.kernel) continue;
    offer_change(context, "kernel_" + other.name,
                 context.phrase(Text::window_changed, context.text(Text::window_kernel), kernel,
                                other.label.in(context.language())),
                 nullptr, session::SetToggle{"kernel", other.name});
  }
}

void draw_list(const Context& context) {
  const bool is_pinned = context.now.pinned != nullptr;
  const auto item = [&](Text text, const char* id, const char* keys) {
    return menu_item((std::string(context.text(text)) + id).c_str(), keys);
  };
  if (item(is_pinned ? Text::window_compare_pin_again : Text::window_compare_pin, "###pin",
           is_pinned ? nullptr : "V"))
    context.post(session::Pin{});
  if (is_pinned && item(Text::window_compare_swap, "###swap", "Shift V")) context.post(session::SwapPinned{});
  if (is_pinned && item(Text::window_compare_end, "###unpin", "V")) context.post(session::Unpin{});
  if (!context.now.choices.lesson) return;
  ImGui::SeparatorText(begin_of(context.text(Text::window_compare_with)));
  offer_changes(context);
}

void explain(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.pinned) return tooltip(context.theme, context.text(Text::window_compare_tip));
  const Language language = context.language();
  const std::string a = session::all_settings(now.pinned->choices, language),
                    b = session::all_settings(now.choices, language);
  std::string text =
      context.phrase(Text::window_compare_is, a) + "\n" + context.phrase(Text::window_compare_present, b);
  if (a == b) text += "\n" + std::string(context.text(Text::window_compare_equal));
  tooltip(context.theme, text);
}

/// The button with the list below it.
void draw_button(const Context& context) {
  ImGui::BeginDisabled(context.now.run == nullptr);
  if (begin_menu_button(context.theme, "compare", button_label(context), look_of_button(context))) {
    draw_list(context);
    end_list();
  } else if (ImGui::IsItemHovered()) {
    explain(context);
  }
  ImGui::EndDisabled();
}

}  // namespace

float compare_width(const Context& context) {
  const Theme& theme = context.theme;
  const float buttons = context.now.pinned ? 2 * (theme.control_height() + theme.space(Space::Hair)) : 0;
  return button_width(context) + buttons + theme.space(Space::Large);
}

void draw_compare(const Context& context) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_button(context);
  if (!context.now.pinned) return;
  ImGui::SetCursorScreenPos({at.x + button_width(context) + theme.space(Space::Hair), at.y});
  if (icon_button(theme, "swap", Icon::Swap,
                  std::string(context.text(Text::window_compare_swap)) + " (Shift V)"))
    context.post(session::SwapPinned{});
  ImGui::SameLine(0, theme.space(Space::Hair));
  if (icon_button(theme, "unpin", Icon::Cross, std::string(context.text(Text::window_compare_end)) + " (V)"))
    context.post(session::Unpin{});
}

void post_compare_keys(const Context& context) {
  if (!ImGui::IsKeyPressed(ImGuiKey_V, false) || !context.now.run) return;
  if (!context.now.pinned)
    context.post(session::Pin{});
  else if (ImGui::GetIO().KeyShift)
    context.post(session::SwapPinned{});
  else
    context.post(session::Unpin{});
}

}  // namespace lanescope::view
