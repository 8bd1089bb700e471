// What the user sets in the window and settings keep: look and arrangement. The rest of the state belongs to
// the session.

#pragma once

#include "view/panel_table.h"
#include "view/theme.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::view {

/// What a step of the keys, the buttons and play is.
enum class StepUnit : uint8_t { Access, Line, Instruction };
inline constexpr size_t kStepUnits = 3;
/// "access": in settings.
std::string_view name_of(StepUnit unit);

/// Steps per second while playing.
inline constexpr std::array kSpeeds{0.5f, 1.0f, 2.0f, 5.0f};

struct Preferences {
  plot::Theme mode = plot::Theme::Light;
  float text = kOrdinaryText;  // points, in a window of ordinary height
  bool is_projected = false;   // the text grows with the window instead
  bool has_stepped = false;    // the person knows how
  bool shows_frame_rate = false;
  StepUnit step_unit = StepUnit::Access;
  size_t speed = 2;  // index in kSpeeds
  std::array<bool, kPanels> shown = [] {
    std::array<bool, kPanels> all{};
    all.fill(true);
    return all;
  }();  // [PanelId]

  std::vector<std::string> recent;  // paths of files that were opened, the newest first

  bool operator==(const Preferences&) const = default;
  bool shows(PanelId panel) const { return shown[static_cast<size_t>(panel)]; }
};

/// The text in a window of this height in points. In a very high one, on a screen whose scale is not set, it
/// grows in proportion.
inline float text_size(const Preferences& preferences, float height) {
  constexpr float kHigh = 1200;
  return preferences.is_projected ? projector_text(height)
                                  : preferences.text * std::max(1.0f, height / kHigh);
}

}  // namespace lanescope::view
