#include "shell/window/settings.h"

#include "base/file.h"
#include "session/opened_file.h"
#include "session/whole_program.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include <toml++/toml.h>

namespace lanescope::shell {
namespace {

constexpr int kLeastSide = 320, kLargestSide = 16384;  // pixels of a window that is taken back

std::string text_at(const toml::table& root, std::string_view key) {
  return root[key].value_or(std::string());
}

std::vector<std::string> texts_at(const toml::table& root, std::string_view key) {
  std::vector<std::string> texts;
  if (const toml::array* array = root[key].as_array())
    for (const auto& entry : *array)
      if (const auto text = entry.value_exact<std::string>()) texts.push_back(*text);
  return texts;
}

void read_look(const toml::table& root, view::Preferences& preferences) {
  preferences.mode = text_at(root, "theme") == "dark" ? plot::Theme::Dark : plot::Theme::Light;
  const double text = root["text"].value_or(double{view::kOrdinaryText});
  if (!std::isnan(text))
    preferences.text = std::clamp(static_cast<float>(text), view::kMinimumText, view::kMaximumText);
  preferences.is_projected = root["projector"].value_or(false);
  preferences.has_stepped = root["stepped"].value_or(false);
  for (size_t n = 0; n < view::kStepUnits; ++n)
    if (const auto unit = static_cast<view::StepUnit>(n); text_at(root, "step") == view::name_of(unit))
      preferences.step_unit = unit;
  const int64_t speed = root["speed"].value_or(static_cast<int64_t>(preferences.speed));
  if (speed >= 0 && speed < static_cast<int64_t>(view::kSpeeds.size()))
    preferences.speed = static_cast<size_t>(speed);
  // Names that are not of a panel are passed over.
  for (const std::string& name : texts_at(root, "hidden"))
    if (const auto panel = view::panel_named(name)) preferences.shown[static_cast<size_t>(*panel)] = false;
  preferences.recent = texts_at(root, "recent");
}

std::optional<WindowPlace> read_place(const toml::table& root) {
  const toml::table* table = root["window"].as_table();
  if (table == nullptr) return {};
  const auto at = [&](std::string_view key) { return (*table)[key].value_or(int64_t{0}); };
  const auto fits = [](int64_t side) { return side >= kLeastSide && side <= kLargestSide; };
  if (!fits(at("width")) || !fits(at("height")) || std::abs(at("x")) > kLargestSide ||
      std::abs(at("y")) > kLargestSide)
    return {};
  return WindowPlace{.x = static_cast<int>(at("x")),
                     .y = static_cast<int>(at("y")),
                     .width = static_cast<int>(at("width")),
                     .height = static_cast<int>(at("height")),
                     .is_maximized = (*table)["maximized"].value_or(false)};
}

toml::array array_of(const std::vector<std::string>& texts) {
  toml::array array;
  for (const std::string& text : texts) array.push_back(text);
  return array;
}

/// Those of the toggles that the lesson still has.
std::vector<std::pair<std::string, std::string>> known_toggles(const std::filesystem::path& assets,
                                                               const WindowSettings& settings) {
  std::vector<std::pair<std::string, std::string>> known;
  const auto lesson = lesson::find_lesson(assets / "lessons", settings.lesson);
  if (!lesson) return known;
  lesson::Settings chosen = lesson::initial_settings(*lesson);
  for (const auto& [name, value] : settings.toggles) {
    auto changed = lesson::with_toggle(*lesson, chosen, name, value);
    if (!changed) continue;
    chosen = *std::move(changed);
    known.emplace_back(name, value);
  }
  return known;
}

}  // namespace

WindowSettings read_settings(const std::filesystem::path& file) {
  WindowSettings settings;
  std::error_code problem;
  if (file.empty() || !std::filesystem::is_regular_file(file, problem)) return settings;
  toml::table root;
  try {
    root = toml::parse_file(file.string());
  } catch (const toml::parse_error&) {
    return settings;
  }
  read_look(root, settings.preferences);
  settings.arrangement = text_at(root, "arrangement");
  const std::string language = text_at(root, "language");
  if (language == "fr") settings.language = Language::French;
  if (language == "en") settings.language = Language::English;
  settings.device = text_at(root, "device");
  settings.lesson = text_at(root, "lesson");
  settings.file = text_at(root, "file");
  if (const toml::table* toggles = root["toggles"].as_table()) {
    for (const auto& [name, value] : *toggles)
      if (const auto text = value.value_exact<std::string>())
        settings.toggles.emplace_back(std::string(name.str()), *text);
    // Choosing a kernel sets its presets.
    std::ranges::stable_partition(settings.toggles,
                                  [](const auto& toggle) { return toggle.first == "kernel"; });
  }
  settings.place = read_place(root);
  return settings;
}

void write_settings(const std::filesystem::path& file, const WindowSettings& settings) {
  if (file.empty()) return;
  const view::Preferences& preferences = settings.preferences;
  std::vector<std::string> hidden;
  for (const view::PanelRow& row : view::panel_rows())
    if (!preferences.shows(row.id)) hidden.emplace_back(row.name);
  toml::table root{{"theme", preferences.mode == plot::Theme::Dark ? "dark" : "light"},
                   {"text", preferences.text},
                   {"projector", preferences.is_projected},
                   {"stepped", preferences.has_stepped},
                   {"step", view::name_of(preferences.step_unit)},
                   {"speed", static_cast<int64_t>(preferences.speed)},
                   {"hidden", array_of(hidden)},
                   {"recent", array_of(preferences.recent)},
                   {"device", settings.device},
                   {"lesson", settings.lesson},
                   {"file", settings.file},
                   {"arrangement", settings.arrangement}};
  if (settings.language) root.insert("language", *settings.language == Language::French ? "fr" : "en");
  toml::table toggles;
  for (const auto& [name, value] : settings.toggles) toggles.insert(name, value);
  root.insert("toggles", toggles);
  if (const auto& place = settings.place)
    root.insert("window", toml::table{{"x", place->x},
                                      {"y", place->y},
                                      {"width", place->width},
                                      {"height", place->height},
                                      {"maximized", place->is_maximized}});
  std::ostringstream text;
  text << root << '\n';
  std::error_code problem;
  std::filesystem::create_directories(file.parent_path(), problem);
  (void)write_file(file, text.str());
}

WindowSettings look_of(const WindowSettings& settings) {
  WindowSettings look;
  look.preferences = settings.preferences;
  look.language = settings.language;
  look.place = settings.place;
  look.preferences.shown = view::Preferences().shown;
  return look;
}

void open_what_was_left(session::Session& session, const std::filesystem::path& assets,
                        const WindowSettings& settings) {
  std::error_code ignored;
  if (!settings.file.empty() && std::filesystem::exists(settings.file, ignored))
    return session.post(session::OpenFile{settings.file});
  const bool has_lesson = lesson::find_lesson(assets / "lessons", settings.lesson).has_value();
  session.post(session::OpenLesson{has_lesson ? settings.lesson : ""});
  const auto toggles = known_toggles(assets, settings);
  if (has_lesson && !settings.lesson.empty() && !toggles.empty()) session.post(session::SetToggles{toggles});
}

void show(const WindowSettings& settings, view::Workspace& workspace) {
  workspace.preferences() = settings.preferences;
  if (settings.arrangement.empty()) return;
  ImGui::LoadIniSettingsFromMemory(settings.arrangement.data(), settings.arrangement.size());
  workspace.keep_arrangement();
}

WindowSettings settings_of(view::Workspace& workspace, const session::Snapshot& now, WindowPlace place) {
  WindowSettings settings;
  settings.preferences = workspace.preferences();
  size_t length = 0;
  const char* arrangement = ImGui::SaveIniSettingsToMemory(&length);
  settings.arrangement.assign(arrangement, length);
  settings.language = now.choices.language;
  settings.device = now.choices.device.name;
  for (const auto& [device, title, capability, has_map] : now.available.devices)
    if (device.ends_with(".toml") && std::filesystem::path(device).stem() == now.choices.device.name)
      settings.device = device;
  // A program's launches come from its source.
  if (now.whole_program)
    settings.file = now.whole_program->source.string();
  else if (now.choices.file)
    settings.file = now.choices.file->path.string();
  // An exercise is opened from its lesson.
  if (!now.choices.exercise.empty())
    settings.lesson = now.choices.exercise.substr(0, now.choices.exercise.rfind('/'));
  else if (now.choices.lesson) {
    const bool is_listed = std::ranges::count(now.available.lessons, now.choices.lesson->name) != 0;
    settings.lesson = is_listed ? now.choices.lesson->name : now.choices.lesson->folder.string();
    settings.toggles.emplace_back("kernel", now.choices.settings.kernel);
    for (const auto& [name, value] : now.choices.settings.values) settings.toggles.emplace_back(name, value);
  }
  settings.place = place;
  return settings;
}

}  // namespace lanescope::shell
