#include "view/toolbar.h"

#include "view/toggles.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// A labelled choice in the bar.
struct Group {
  const lesson::Toggle* toggle = nullptr;  // null: the device
  std::string label;
  std::vector<Segment> choices;
  int selected = -1;
  std::string value;  // shown where none of the choices is selected
  bool applies = true;
  bool as_menu = false;
};

/// "GT200" of "GeForce GTX 280 (GT200)": devices have long titles; the bar shows their names.
std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::vector<Group> groups_of(const Context& context) {
  std::vector<Group> groups;
  if (context.now.lesson) {
    for (const lesson::Toggle& toggle : context.now.lesson->toggles) {
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
      const auto value = context.now.settings.values.find(toggle.name);
      if (value != context.now.settings.values.end()) group.value = value->second;
      groups.push_back(std::move(group));
    }
  }
  Group device;
  device.label = context.text(Text::window_device);
  for (const std::string& name : context.now.devices) {
    if (name == context.now.device.name) device.selected = static_cast<int>(device.choices.size());
    device.choices.push_back({name, upper(name), std::string(context.text(Text::window_device_hint))});
  }
  device.value = upper(context.now.device.name);
  groups.push_back(std::move(device));
  return groups;
}

float label_width(const Theme& theme, const Group& group) {
  return text_width(theme, Face::Regular, kSmallText, group.label) + theme.space(Space::Small) +
         theme.space(Space::Hair);
}

std::string shown_value(const Group& group) {
  return group.selected >= 0 ? group.choices[static_cast<size_t>(group.selected)].label : group.value;
}

float menu_width(const Theme& theme, const std::string& value) {
  return std::round(text_width(theme, Face::Regular, 1, value) + theme.em(2.3f));
}

float width_of(const Theme& theme, const Group& group) {
  const float control =
      group.as_menu ? menu_width(theme, shown_value(group)) : segments_width(theme, group.choices);
  return label_width(theme, group) + control + theme.space(Space::Large);
}

void post_choice(const Context& context, const Group& group, int index) {
  const std::string& value = group.choices[static_cast<size_t>(index)].id;
  if (group.toggle != nullptr)
    context.post(session::SetToggle{group.toggle->name, value});
  else
    context.post(session::SetDevice{value});
}

/// A button that shows `value` and opens a list.
bool begin_menu_button(const Theme& theme, const char* id, const std::string& value, Face face) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme.control_height();
  const float width = std::round(text_width(theme, face, 1, value) + theme.em(2.3f));
  const bool pressed = ImGui::InvisibleButton(id, {width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end = at + ImVec2(width, height);
  list.AddRectFilled(at, end, theme.color(ImGui::IsItemHovered() ? Role::AccentSoft : Role::Sunken),
                     ImGui::GetStyle().FrameRounding);
  list.AddRect(at, end, theme.color(Role::Line), ImGui::GetStyle().FrameRounding, theme.scale);
  draw_text(theme, list, {at.x + theme.em(0.6f), at.y + height / 2}, {face, 1, Color::of(Role::Ink)}, value);
  draw_icon(list,
            ImRect({end.x - theme.em(1.6f), at.y + theme.em(0.3f)},
                   {end.x - theme.em(0.3f), end.y - theme.em(0.3f)}),
            Icon::Open, theme.color(Role::Dim));
  const std::string popup = std::string(id) + "_list";
  if (pressed) ImGui::OpenPopup(popup.c_str());
  ImGui::SetNextWindowPos({at.x, end.y + theme.space(Space::Hair)});
  return ImGui::BeginPopup(popup.c_str());
}

void draw_free_value(const Context& context, const Group& group) {
  static constexpr size_t kLongest = 32;
  char text[kLongest] = "";
  group.value.copy(text, kLongest - 1);
  ImGui::SetNextItemWidth(context.theme.em(8));
  const bool entered = ImGui::InputTextWithHint("##value", begin_of(context.text(Text::window_other_value)),
                                                text, kLongest, ImGuiInputTextFlags_EnterReturnsTrue);
  if (entered) {
    context.post(session::SetToggle{group.toggle->name, text});
    ImGui::CloseCurrentPopup();
  }
}

void draw_group(const Context& context, const Group& group) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = group.toggle != nullptr ? group.toggle->name : "device";
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim, group.applies ? 1 : 0.45f)}, group.label);
  ImGui::SetCursorScreenPos({at.x + label_width(theme, group), at.y});
  ImGui::BeginDisabled(!group.applies);
  if (!group.as_menu) {
    const int pressed = segments(theme, id.c_str(), group.choices, group.selected);
    if (pressed >= 0) post_choice(context, group, pressed);
  } else {
    if (begin_menu_button(theme, id.c_str(), shown_value(group), Face::Regular)) {
      for (int n = 0; n < static_cast<int>(group.choices.size()); ++n) {
        const Segment& choice = group.choices[static_cast<size_t>(n)];
        const std::string label = choice.label + "###" + choice.id;
        if (ImGui::MenuItem(label.c_str(), nullptr, n == group.selected)) post_choice(context, group, n);
      }
      if (group.toggle != nullptr && group.toggle->free) draw_free_value(context, group);
      ImGui::EndPopup();
    }
    if (ImGui::IsItemHovered() && group.toggle != nullptr)
      tooltip(theme, group.toggle->hint.in(context.language()));
  }
  ImGui::EndDisabled();
  ImGui::SameLine(0, theme.space(Space::Large));
}

/// Where a free value is allowed, or choices are many, a list needs less room than segments.
bool prefers_menu(const Group& group) {
  return group.choices.size() > 5 || (group.toggle != nullptr && group.toggle->free) ||
         (group.toggle == nullptr && group.choices.size() > 2) ||
         (group.selected < 0 && !group.value.empty());
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

std::string kernel_label(const Context& context) {
  if (!context.now.lesson) return {};
  return lesson::kernel_of(*context.now.lesson, context.now.settings).label.in(context.language());
}

constexpr std::string_view kBrand = "Lanescope";

float left_width(const Context& context) {
  const Theme& theme = context.theme;
  float width = text_width(theme, Face::Strong, 1.15f, kBrand) + theme.space(Space::Large);
  if (context.now.lesson)
    width += text_width(theme, Face::Strong, 1, kernel_label(context)) + theme.em(2.3f) +
             theme.space(Space::Large);
  return width;
}

std::string timing_text(const Context& context) {
  if (!context.now.run) return {};
  return fmt::format("{:.1f} ms", context.now.run->seconds.run * 1e3);
}

float right_width(const Context& context) {
  const Theme& theme = context.theme;
  const std::vector<Segment> languages{{"en", "EN", ""}, {"fr", "FR", ""}};
  const float badge =
      text_width(theme, Face::Strong, 0.8f, std::string(context.text(Text::emulated_badge)) + " · 00.0 ms") +
      theme.em(1.2f) + theme.space(Space::Large);
  return badge + segments_width(theme, languages) + 3 * theme.control_height() +
         text_width(theme, Face::Regular, 1, context.text(Text::window_export)) + theme.em(2.3f) +
         text_width(theme, Face::Regular, 1, context.text(Text::window_view)) + theme.em(2.3f) +
         5 * theme.space(Space::Small);
}

void draw_left(const Context& context) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
                              {Face::Strong, 1.15f, Color::of(Role::Ink)}, kBrand);
  ImGui::SetCursorScreenPos({end + theme.space(Space::Large), at.y});
  if (!context.now.lesson) return;
  if (begin_menu_button(theme, "kernel", kernel_label(context), Face::Strong)) {
    for (const lesson::Kernel& kernel : context.now.lesson->kernels) {
      const std::string label = kernel.label.in(context.language()) + "###" + kernel.name;
      if (ImGui::MenuItem(label.c_str(), nullptr, kernel.name == context.now.settings.kernel))
        context.post(session::SetToggle{"kernel", kernel.name});
    }
    if (context.now.lessons.size() > 1) {
      ImGui::Separator();
      for (const std::string& lesson : context.now.lessons)
        if (ImGui::MenuItem(lesson.c_str(), nullptr, lesson == context.now.lesson->name))
          context.post(session::OpenLesson{lesson});
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, theme.space(Space::Large));
}

void draw_export_menu(const Context& context) {
  struct Entry {
    const char* name;
    Text title;
  };
  static constexpr Entry kEntries[] = {{"banks", Text::banks},
                                       {"sectors", Text::sectors},
                                       {"partitions", Text::partitions},
                                       {"blocks", Text::blocks},
                                       {"totals", Text::totals},
                                       {"elements", Text::figure_elements},
                                       {"timeline", Text::figure_timeline}};
  if (!begin_menu_button(context.theme, "export", std::string(context.text(Text::window_export)),
                         Face::Regular))
    return;
  for (const Entry& entry : kEntries) {
    const std::string label = std::string(context.text(entry.title)) + "###" + entry.name;
    if (ImGui::MenuItem(label.c_str())) *context.export_request = entry.name;
  }
  ImGui::EndPopup();
}

void draw_view_menu(const Context& context, Preferences& preferences, ToolbarRequests& requests) {
  if (!begin_menu_button(context.theme, "view", std::string(context.text(Text::window_view)), Face::Regular))
    return;
  ImGui::PushItemFlag(ImGuiItemFlags_AutoClosePopups, false);
  for (size_t n = 0; n < kPanels; ++n) {
    const auto panel = static_cast<PanelId>(n);
    const std::string label =
        std::string(context.text(title_of(panel))) + "###" + std::string(name_of(panel));
    ImGui::MenuItem(label.c_str(), nullptr, &preferences.shown[n]);
  }
  ImGui::Separator();
  const auto resize = [&](Text text, const char* keys, float change) {
    if (ImGui::MenuItem(begin_of(context.text(text)), keys))
      preferences.text = std::clamp(preferences.text + change, kMinimumText, kMaximumText);
  };
  resize(Text::window_larger_text, "Ctrl +", 1);
  resize(Text::window_smaller_text, "Ctrl -", -1);
  ImGui::PopItemFlag();
  if (ImGui::MenuItem(begin_of(context.text(Text::window_projector)))) preferences.text = 20;
  if (ImGui::MenuItem(begin_of(context.text(Text::window_ordinary_text)), "Ctrl 0"))
    preferences.text = kOrdinaryText;
  ImGui::Separator();
  if (ImGui::MenuItem(begin_of(context.text(Text::window_reset_layout)))) requests.reset_layout = true;
  ImGui::EndPopup();
}

void draw_right(const Context& context, Preferences& preferences, ToolbarRequests& requests, float middle) {
  const Theme& theme = context.theme;
  const float gap = theme.space(Space::Small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + right_width(context);
  const std::vector<Segment> languages{{"en", "EN", ""}, {"fr", "FR", ""}};
  const float controls =
      right_width(context) -
      (text_width(theme, Face::Strong, 0.8f, std::string(context.text(Text::emulated_badge)) + " · 00.0 ms") +
       theme.em(1.2f) + theme.space(Space::Large));
  const float left = end - controls;
  if (context.now.run)
    draw_badge(context, *ImGui::GetWindowDrawList(), {left - theme.space(Space::Medium), middle},
               context.now.run->trace->provenance, timing_text(context));
  ImGui::SetCursorScreenPos({left, at.y});
  const int language = segments(theme, "language", languages, static_cast<int>(context.language()));
  if (language >= 0) context.post(session::SetLanguage{static_cast<Language>(language)});
  ImGui::SameLine(0, gap);
  draw_export_menu(context);
  ImGui::SameLine(0, gap);
  draw_view_menu(context, preferences, requests);
  ImGui::SameLine(0, gap);
  const bool dark = preferences.mode == plot::Theme::Dark;
  if (icon_button(theme, "theme", dark ? Icon::Light : Icon::Dark,
                  context.text(dark ? Text::window_light : Text::window_dark)))
    preferences.mode = dark ? plot::Theme::Light : plot::Theme::Dark;
  ImGui::SameLine(0, gap);
  if (text_button(theme, "help", "?")) requests.help = true;
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_help_tip));
}

}  // namespace

Toolbar::Plan Toolbar::plan(const Context& context, float width) const {
  std::vector<Group> groups = groups_of(context);
  const float fixed = left_width(context) + right_width(context);
  const auto total = [&] {
    float sum = 0;
    for (const Group& group : groups) sum += width_of(context.theme, group);
    return sum;
  };
  const int most = static_cast<int>(groups.size());
  for (int menus = 0; menus <= most; ++menus) {
    make_menus(groups, menus);
    if (fixed + total() <= width) return {menus, 1};
  }
  for (int menus = 0; menus <= most; ++menus) {
    make_menus(groups, menus);
    if (total() <= width) return {menus, 2};
  }
  return {most, 2};
}

int Toolbar::rows(const Context& context, float width) {
  plan_ = plan(context, width);
  return plan_.rows;
}

ToolbarRequests Toolbar::draw(const Context& context, Preferences& preferences) {
  const Theme& theme = context.theme;
  ToolbarRequests requests;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_left(context);
  std::vector<Group> groups = groups_of(context);
  make_menus(groups, plan_.menus);
  if (plan_.rows > 1)
    ImGui::SetCursorScreenPos(start + ImVec2(0, theme.control_height() + theme.space(Space::Medium)));
  for (const Group& group : groups) draw_group(context, group);
  ImGui::SetCursorScreenPos({start.x + width - right_width(context), start.y});
  draw_right(context, preferences, requests, start.y + theme.control_height() / 2);
  return requests;
}

}  // namespace lanescope::view
