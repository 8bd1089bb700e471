#include "lesson/setting_text.h"

#include <algorithm>

namespace lanescope::lesson {
namespace {

std::string value_in_words(const Toggle& toggle, const std::string& value, Language language) {
  const auto choice = std::ranges::find(toggle.choices, value, &Choice::value);
  if (choice == toggle.choices.end()) return value;
  const std::string& label = choice->label.in(language);
  return label.empty() ? value : label;
}

}  // namespace

std::vector<SettingText> setting_texts(const Lesson& lesson, const Settings& settings, Language language) {
  const auto said = [&](Text text) { return std::string(say(language, text)); };
  std::vector<SettingText> texts{
      {said(Text::window_setting_opened), lesson.title.in(language)},
      {said(Text::window_setting_kernel), kernel_of(lesson, settings).label.in(language)}};
  for (const Toggle& toggle : lesson.toggles) {
    const auto value = settings.values.find(toggle.name);
    if (value == settings.values.end() || !applies(lesson, settings, toggle)) continue;
    texts.push_back({toggle.label.in(language), value_in_words(toggle, value->second, language)});
  }
  return texts;
}

std::string settings_text(const Lesson& lesson, const Settings& settings, Language language) {
  std::string text;
  size_t plain = 2;  // title and kernel say by their value alone what they are
  for (const SettingText& setting : setting_texts(lesson, settings, language)) {
    if (!text.empty()) text += " · ";
    text += plain > 0 ? setting.value : setting.name + " " + setting.value;
    if (plain > 0) --plain;
  }
  return text;
}

}  // namespace lanescope::lesson
