#include "session/settings_text.h"

#include "session/opened_file.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

std::string said(Language language, Text text) { return std::string(say(language, text)); }

void add_file(std::vector<Setting>& settings, const Choices& choices, Language language) {
  const session::OpenedFile& file = *choices.file;
  settings.push_back({said(language, Text::window_setting_opened), file.path.filename().string()});
  const auto& launches = file.launches.launches;
  if (launches.empty()) return;
  const auto& launch = launches[std::min<size_t>(choices.launch, launches.size() - 1)];
  settings.push_back({said(language, Text::window_setting_kernel), launch.kernel});
  std::string arguments;
  for (const std::string& argument : launch.arguments)
    arguments += (arguments.empty() ? "" : ", ") + argument;
  settings.push_back({said(language, Text::window_setting_launch),
                      fmt::format("<<<{}; {}>>>({})", launch.grid, launch.block, arguments)});
  for (const std::string& define : file.launches.defines) settings.push_back({"-D", define});
}

/// How it runs, and on which device it is seen.
void add_rest(std::vector<Setting>& settings, const Choices& choices, Language language) {
  const auto add = [&](Text name, std::string value) {
    settings.push_back({said(language, name), std::move(value)});
  };
  add(Text::window_setting_device, device_label(choices.device.name));
  add(Text::window_setting_producer,
      said(language, choices.producer == pipeline::Producer::Gpu ? Text::window_setting_gpu
                                                                 : Text::window_setting_emulator));
  add(Text::window_setting_checks,
      said(language,
           choices.checks == emulator::Checks::All ? Text::window_setting_on : Text::window_setting_off));
  add(Text::window_setting_scheduling,
      said(language, choices.scheduling == emulator::Scheduling::Lockstep ? Text::window_setting_one_by_one
                                                                          : Text::window_setting_in_turn));
  if (choices.level == trace::CountLevel::MachineCode)
    add(Text::window_setting_level, said(language, Text::window_level_sass));
}

/// Settings that say by their value alone what they are.
bool is_plain(const Setting& setting, Language language) {
  for (const Text name :
       {Text::window_setting_opened, Text::window_setting_kernel, Text::window_setting_device,
        Text::window_setting_producer, Text::window_setting_launch})
    if (setting.name == say(language, name)) return true;
  return false;
}

std::string in_words(const Setting& setting, Language language) {
  return is_plain(setting, language) ? setting.value : setting.name + " " + setting.value;
}

const Setting* find(const std::vector<Setting>& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

bool is_same(const Setting* one, const Setting& other) { return one != nullptr && one->value == other.value; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " · ") + part;
  return text;
}

}  // namespace

std::string device_label(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<Setting> settings_of(const Choices& choices, Language language) {
  std::vector<Setting> settings;
  if (choices.lesson) settings = lesson::setting_texts(*choices.lesson, choices.settings, language);
  if (choices.file) add_file(settings, choices, language);
  add_rest(settings, choices, language);
  return settings;
}

std::string label_beside(const Choices& choices, const Choices& other, Language language) {
  const std::vector<Setting> mine = settings_of(choices, language), others = settings_of(other, language);
  std::vector<std::string> parts;
  for (const Setting& setting : mine)
    if (!is_same(find(others, setting.name), setting)) parts.push_back(in_words(setting, language));
  return parts.empty() ? label_against(choices, other, language) : joined(parts);
}

std::string label_against(const Choices& choices, const Choices& other, Language language) {
  const std::vector<Setting> mine = settings_of(choices, language), others = settings_of(other, language);
  std::vector<std::string> parts;
  for (const Setting& setting : mine) {
    const bool is_kernel = setting.name == say(language, Text::window_setting_kernel);
    if (is_kernel || !is_same(find(others, setting.name), setting))
      parts.push_back(in_words(setting, language));
  }
  if (parts.empty() && !mine.empty()) parts.push_back(mine.front().value);
  return joined(parts);
}

std::string change_between(const Choices& from, const Choices& to, Language language) {
  const std::vector<Setting> before = settings_of(from, language), after = settings_of(to, language);
  for (const Setting& setting : after) {
    const Setting* known = find(before, setting.name);
    if (is_same(known, setting)) continue;
    return phrase(language, Text::window_changed, setting.name, known != nullptr ? known->value : "–",
                  setting.value);
  }
  return {};
}

std::string all_settings(const Choices& choices, Language language) {
  std::vector<std::string> parts;
  for (const Setting& setting : settings_of(choices, language)) parts.push_back(in_words(setting, language));
  return joined(parts);
}

}  // namespace lanescope::session
