#include "shell/settings.h"

#include "export/export.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

/// Names of panels with commas between them: "models,totals". Names that are not of a panel are passed over;
/// so is the number that the files of earlier versions have here, of which nothing is hidden.
void hide_panels(view::Preferences& preferences, std::string_view names) {
  preferences.shown.fill(true);
  while (!names.empty()) {
    const size_t end = std::min(names.find(','), names.size());
    if (const auto panel = view::panel_named(names.substr(0, end)))
      preferences.shown[static_cast<size_t>(*panel)] = false;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

std::string hidden_panels(const view::Preferences& preferences) {
  std::vector<std::string_view> names;
  for (const view::PanelRow& row : view::panel_rows())
    if (!preferences.shows(row.id)) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

void restore_settings(const std::filesystem::path& file, view::Workspace& workspace) {
  if (file.empty()) return;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  int theme = 0, hidden = 0;
  float size = 0;
  if (std::sscanf(text.c_str(), "; Lanescope theme=%d text=%f hidden=%n", &theme, &size, &hidden) != 2 ||
      hidden == 0)
    return;
  if (std::isnan(size)) return;  // which clamping does not correct
  view::Preferences& preferences = workspace.preferences();
  preferences.mode = theme == 1 ? plot::Theme::Dark : plot::Theme::Light;
  preferences.text = std::clamp(size, view::kMinimumText, view::kMaximumText);
  const auto names = static_cast<size_t>(hidden);
  hide_panels(preferences, std::string_view(text).substr(names, text.find('\n', names) - names));
  ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
  workspace.keep_arrangement();
}

void keep_settings(const std::filesystem::path& file, view::Workspace& workspace) {
  if (file.empty()) return;
  const view::Preferences& preferences = workspace.preferences();
  std::string text =
      fmt::format("; Lanescope theme={} text={} hidden={}\n", preferences.mode == plot::Theme::Dark ? 1 : 0,
                  preferences.text, hidden_panels(preferences));
  size_t length = 0;
  const char* arrangement = ImGui::SaveIniSettingsToMemory(&length);
  text.append(arrangement, length);
  std::error_code problem;
  std::filesystem::create_directories(file.parent_path(), problem);
  (void)exporting::write_file(file, text);
}

}  // namespace lanescope::shell
