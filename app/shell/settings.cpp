#include "shell/settings.h"

#include "export/export.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

constexpr const char* kFirstLine = "; Lanescope theme={} text={} hidden={}\n";

}  // namespace

void restore_settings(const std::filesystem::path& file, view::Workspace& workspace) {
  if (file.empty()) return;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  int theme = 0;
  float size = 0;
  unsigned hidden = 0;
  if (std::sscanf(text.c_str(), "; Lanescope theme=%d text=%f hidden=%u", &theme, &size, &hidden) != 3)
    return;
  if (std::isnan(size)) return;  // which no clamp would mend
  view::Preferences& preferences = workspace.preferences();
  preferences.mode = theme == 1 ? plot::Theme::Dark : plot::Theme::Light;
  preferences.text = std::clamp(size, view::kMinimumText, view::kMaximumText);
  for (size_t n = 0; n < view::kPanels; ++n) preferences.shown[n] = (hidden >> n & 1) == 0;
  ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
  workspace.keep_arrangement();
}

void keep_settings(const std::filesystem::path& file, view::Workspace& workspace) {
  if (file.empty()) return;
  const view::Preferences& preferences = workspace.preferences();
  unsigned hidden = 0;
  for (size_t n = 0; n < view::kPanels; ++n) hidden |= preferences.shown[n] ? 0 : 1u << n;
  std::string text = fmt::format(fmt::runtime(kFirstLine), preferences.mode == plot::Theme::Dark ? 1 : 0,
                                 preferences.text, hidden);
  size_t length = 0;
  const char* arrangement = ImGui::SaveIniSettingsToMemory(&length);
  text.append(arrangement, length);
  std::error_code problem;
  std::filesystem::create_directories(file.parent_path(), problem);
  (void)exporting::write_file(file, text);
}

}  // namespace lanescope::shell
