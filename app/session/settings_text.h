// The settings of a run in words: what is open, its kernel, toggles and launch, the device, and how it runs;
// and in what two of them differ. Test: tests/gui/comparison_test.cpp

#pragma once

#include "base/text.h"
#include "lesson/setting_text.h"
#include "session/snapshot.h"

#include <string>
#include <vector>

namespace lanescope::session {

/// "GT200" of "gt200": a device's name, where its title, "GeForce GTX 280 (GT200)", is too long.
std::string device_label(std::string name);

using Setting = lesson::SettingText;

/// All of them, the most telling first: what is open, then the kernel.
std::vector<Setting> settings_of(const Choices& choices, Language language);

/// "Tiled · Padding 1": the kernel, and in what it differs from `other`.
std::string label_against(const Choices& choices, const Choices& other, Language language);

/// "Padding 1": in what it differs from `other`, which is beside it; the kernel where it does not.
std::string label_beside(const Choices& choices, const Choices& other, Language language);

/// "Padding: 0 → 1": the most telling difference.
std::string change_between(const Choices& from, const Choices& to, Language language);

/// "Tiled · Padding 1 · Size 1024 · GT200 · emulator": all of them.
std::string all_settings(const Choices& choices, Language language);

}  // namespace lanescope::session
