#include "view/announcement.h"

#include "session/settings_text.h"
#include "view/toggles.h"
#include "view/widgets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr double kSecondsToRead = 2.5;
constexpr float kLarge = 1.5f;  // of the ordinary text

using Values = std::map<std::string, std::string>;

Values values_of(const session::Choices& choices) {
  Values values{{"device", choices.device.name}};
  if (!choices.lesson) return values;
  values["kernel"] = choices.settings.kernel;
  for (const auto& [toggle, value] : choices.settings.values) values[toggle] = value;
  return values;
}

/// "Padding 1", "Kernel Padded", "Device GT200".
std::string words_of(const Context& context, const std::string& name, const std::string& value) {
  const session::Choices& choices = context.now.choices;
  if (name == "device")
    return fmt::format("{} {}", context.text(Text::window_device), session::device_label(value));
  if (name == "kernel")
    return fmt::format("{} {}", context.text(Text::window_kernel),
                       lesson::kernel_of(*choices.lesson, choices.settings).label.in(context.language()));
  const lesson::Toggle* const toggle = toggle_named(context, name);
  if (toggle == nullptr) return {};
  const auto choice = std::ranges::find(toggle->choices, value, &lesson::Choice::value);
  return fmt::format("{} {}", toggle->label.in(context.language()),
                     choice == toggle->choices.end() ? value : label_of(context, *choice));
}

}  // namespace

void Announcement::follow(const Context& context) {
  Values now = values_of(context.now.choices);
  const Values before = std::exchange(settings_, std::move(now));
  if (std::exchange(openings_, context.now.openings) != context.now.openings) {
    text_.clear();
    waits_for_run_ = false;
    return;
  }
  std::string changed;
  const auto add = [&](const std::string& name, const std::string& value) {
    const auto old = before.find(name);
    if (old == before.end() || old->second == value) return;
    const std::string words = words_of(context, name, value);
    if (!words.empty()) changed += (changed.empty() ? "" : "  ·  ") + words;
  };
  for (const auto& [name, value] : settings_)
    if (name != "kernel") add(name, value);
  if (const auto kernel = settings_.find("kernel"); kernel != settings_.end())
    add(kernel->first, kernel->second);
  const bool shows_run = waits_for_run_ && !context.now.busy;
  waits_for_run_ = context.now.busy && (waits_for_run_ || !changed.empty());
  if (changed.empty() && !shows_run) return;
  if (!changed.empty()) text_ = std::move(changed);
  until_ = ImGui::GetTime() + kSecondsToRead;
}

std::string_view Announcement::text() const {
  return ImGui::GetTime() < until_ ? std::string_view(text_) : std::string_view();
}

std::optional<double> Announcement::moves_at() const {
  return text().empty() ? std::nullopt : std::optional(until_);
}

void Announcement::draw(const Theme& theme, const ImRect& box) const {
  const std::string_view said = text();
  if (said.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(box.Min, box.Max, theme.color(Role::Accent), theme.space(Space::Medium));
  const float room = box.GetWidth() - 2 * theme.space(Space::Large);
  const float relative =
      std::max(1.0f, std::min(kLarge, kLarge * room / text_width(theme, Face::Strong, kLarge, said)));
  const float width = std::min(room, text_width(theme, Face::Strong, relative, said));
  draw_text(theme, list, {box.GetCenter().x - width / 2, box.GetCenter().y},
            {Face::Strong, relative, Color::of(Role::OnAccent)}, said, room);
}

}  // namespace lanescope::view
