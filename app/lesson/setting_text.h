// The settings of a lesson in words: its title, the kernel, and the toggles that apply to it.
// Tests: tests/gui/comparison_test.cpp, tests/cli/plot_test.cpp

#pragma once

#include "base/text.h"
#include "lesson/lesson.h"

#include <string>
#include <vector>

namespace lanescope::lesson {

/// A setting, as "Padding" and "1".
struct SettingText {
  std::string name, value;
};

/// The title, then the kernel, then the toggles in the lesson's order.
std::vector<SettingText> setting_texts(const Lesson& lesson, const Settings& settings, Language language);

/// "Matrix transpose · Tiled · Padding 1 · Matrix 1024": all of them.
std::string settings_text(const Lesson& lesson, const Settings& settings, Language language);

}  // namespace lanescope::lesson
