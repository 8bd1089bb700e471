#include "view/toolbar_groups.h"

#include "model/device_cost.h"
#include "session/settings_text.h"
#include "view/control_name.h"
#include "view/toggles.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

float label_width(const Theme& theme, const Group& group) {
  return text_width(theme, Face::Regular, kSmallText, group.label) + theme.space(Space::Small) +
         theme.space(Space::Hair);
}

std::string shown_value(const Group& group) {
  if (group.toggle == nullptr) return group.value;
  return group.selected >= 0 ? group.choices[static_cast<size_t>(group.selected)].label : group.value;
}

float menu_width(const Theme& theme, const std::string& value) {
  return std::round(text_width(theme, Face::Regular, 1, value) + theme.em(2.3f));
}

/// Of the values that it may show.
float widest_menu(const Theme& theme, const Group& group) {
  float width = menu_width(theme, shown_value(group));
  for (const Segment& choice : group.choices)
    width = std::max(
        width, menu_width(theme, group.toggle != nullptr ? choice.label : session::device_label(choice.id)));
  return width;
}

void post_choice(const Context& context, const Group& group, int index) {
  const std::string& value = group.choices[static_cast<size_t>(index)].id;
  if (group.toggle != nullptr)
    context.post(session::SetToggle{group.toggle->name, value});
  else
    context.post(session::SetDevice{value});
}

void draw_free_value(const Context& context, const Group& group) {
  static constexpr size_t kLongest = 32;
  char text[kLongest] = "";
  group.value.copy(text, kLongest - 1);
  ImGui::SetNextItemWidth(context.theme.em(8));
  const bool entered = ImGui::InputTextWithHint("##value", begin_of(context.text(Text::window_other_value)),
                                                text, kLongest, ImGuiInputTextFlags_EnterReturnsTrue);
  name_control(context.text(Text::window_other_value), false, group.label);
  if (entered) {
    context.post(session::SetToggle{group.toggle->name, text});
    ImGui::CloseCurrentPopup();
  }
}

/// Where a free value is allowed, or choices are many, a list needs less room than segments.
bool prefers_menu(const Group& group) {
  return group.choices.size() > 5 || (group.toggle != nullptr && group.toggle->free) ||
         (group.toggle == nullptr && group.choices.size() > 2);
}

/// "GeForce GTX 280 (GT200): 16 banks, transactions; a known map of partitions"
std::string tip_of(const Context& context, const session::Available::DeviceName& device) {
  const bool is_old = model::units_of(device.compute_capability) == model::CostUnits::Transactions;
  return context.phrase(
      Text::window_device_tip, device.title, device.compute_capability < 20 ? 16 : model::kBanks,
      context.text(is_old ? Text::figure_transactions : Text::figure_sectors),
      context.text(device.has_partition_map ? Text::window_device_has_map : Text::window_device_no_map));
}

}  // namespace

std::vector<Group> groups_of(const Context& context) {
  std::vector<Group> groups;
  if (context.now.choices.lesson) {
    for (const lesson::Toggle& toggle : context.now.choices.lesson->toggles) {
      Group group{.toggle = &toggle,
                  .label = toggle.label.in(context.language()),
                  .choices = {},
                  .selected = chosen(context, toggle),
                  .value = {},
                  .applies = toggle_applies(context, toggle)};
      std::string tip = toggle.hint.in(context.language());
      if (toggle.key != 0) tip += fmt::format("  ({})", toggle.key);
      for (const lesson::Choice& choice : toggle.choices)
        group.choices.push_back({choice.value, std::string(label_of(context, choice)), tip});
      const auto value = context.now.choices.settings.values.find(toggle.name);
      if (value != context.now.choices.settings.values.end()) group.value = value->second;
      groups.push_back(std::move(group));
    }
  }
  Group device;
  device.label = context.text(Text::window_device);
  for (const session::Available::DeviceName& known : context.now.available.devices) {
    const std::string stem = std::filesystem::path(known.name).stem().string();
    if (stem == context.now.choices.device.name) device.selected = static_cast<int>(device.choices.size());
    device.choices.push_back({known.name, known.title, tip_of(context, known)});
  }
  device.value = session::device_label(context.now.choices.device.name);
  groups.push_back(std::move(device));
  return groups;
}

float width_of(const Theme& theme, const Group& group) {
  const float control = group.as_menu ? widest_menu(theme, group) : segments_width(theme, group.choices);
  return label_width(theme, group) + control + theme.space(Space::Large);
}

bool begin_list_below(const Theme& theme, const char* id, const ImRect& button, bool pressed) {
  const std::string popup = std::string(id) + "_list";
  if (pressed) ImGui::OpenPopup(popup.c_str());
  // A list of a button in the right half of the window grows to the left, and none is taller than the window.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float top = button.Max.y + theme.space(Space::Hair);
  const bool is_right = button.GetCenter().x > viewport->GetCenter().x;
  ImGui::SetNextWindowPos({is_right ? button.Max.x : button.Min.x, top}, ImGuiCond_Always,
                          {is_right ? 1.0f : 0.0f, 0.0f});
  ImGui::SetNextWindowSizeConstraints(
      {0, 0}, {viewport->Size.x, viewport->Pos.y + viewport->Size.y - top - theme.space(Space::Small)});
  return begin_list(theme, popup);
}

float menu_button_width(const Theme& theme, const std::string& value, const MenuButton& button) {
  if (button.width > 0) return button.width;
  const float label = text_width(theme, button.face, 1, value);
  const float most = button.most_label > 0 ? theme.em(button.most_label) : label;
  return std::round(std::min(label, most) + theme.em(2.3f));
}

bool begin_menu_button(const Theme& theme, const char* id, const std::string& value,
                       const MenuButton& button) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{menu_button_width(theme, value, button), theme.control_height()};
  const bool pressed = ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
  name_control(value, false, button.group);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end = at + size;
  const float rounding = ImGui::GetStyle().FrameRounding;
  const bool is_bright = button.is_lit || ImGui::IsItemHovered();
  list.AddRectFilled(at, end, theme.color(is_bright ? Role::AccentSoft : Role::Sunken), rounding);
  list.AddRect(at, end, theme.color(button.is_lit ? Role::Accent : Role::Line), rounding, theme.scale);
  draw_text(theme, list, {at.x + theme.em(0.6f), at.y + size.y / 2},
            {button.face, 1, Color::of(button.is_lit ? Role::Accent : Role::Ink)}, value,
            size.x - theme.em(2.2f));
  draw_icon(list,
            ImRect({end.x - theme.em(1.6f), at.y + theme.em(0.3f)},
                   {end.x - theme.em(0.3f), end.y - theme.em(0.3f)}),
            Icon::Open, theme.color(Role::Dim));
  return begin_list_below(theme, id, ImRect(at, end), pressed);
}

void draw_group(const Context& context, const Group& group) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = group.toggle != nullptr ? group.toggle->name : "device";
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim, group.applies ? 1 : 0.45f)}, group.label);
  ImGui::SetCursorScreenPos({at.x + label_width(theme, group), at.y});
  ImGui::BeginDisabled(!group.applies);
  // A kernel may set a value that none of the segments has.
  const bool is_other = group.selected < 0 && !group.value.empty();
  if (!group.as_menu && !is_other) {
    const int pressed = segments(theme, id.c_str(), group.choices, group.selected, group.label);
    if (pressed >= 0) post_choice(context, group, pressed);
  } else {
    if (begin_menu_button(theme, id.c_str(), shown_value(group), {.group = group.label})) {
      for (int n = 0; n < static_cast<int>(group.choices.size()); ++n) {
        const Segment& choice = group.choices[static_cast<size_t>(n)];
        const std::string label = choice.label + "###" + choice.id;
        if (menu_item(label.c_str(), nullptr, n == group.selected)) post_choice(context, group, n);
        if (group.toggle == nullptr && ImGui::IsItemHovered()) tooltip(theme, choice.tip);
      }
      if (group.toggle != nullptr && group.toggle->free) draw_free_value(context, group);
      end_list();
    }
    if (ImGui::IsItemHovered())
      tooltip(theme, group.toggle != nullptr ? std::string_view(group.toggle->hint.in(context.language()))
                                             : context.text(Text::window_device_hint));
  }
  ImGui::EndDisabled();
  const ImVec2 end{ImGui::GetItemRectMax().x, at.y + theme.control_height()};
  if (group.toggle != nullptr && !group.applies && ImGui::IsMouseHoveringRect(at, end))
    tooltip(theme, without_effect(context, *group.toggle));
}

void make_menus(std::vector<Group>& groups, int menus) {
  for (Group& group : groups) group.as_menu = prefers_menu(group);
  // From the right on: the toggles that a lesson lists first are those it is about.
  for (auto group = groups.rbegin(); group != groups.rend() && menus > 0; ++group) {
    if (group->as_menu || group->choices.size() < 2) continue;
    group->as_menu = true;
    --menus;
  }
}

}  // namespace lanescope::view
