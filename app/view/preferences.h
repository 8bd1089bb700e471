// What a person sets in the window and may find again the next time: look and arrangement. The rest of the
// state belongs to the session.

#pragma once

#include "base/text.h"
#include "view/theme.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::view {

/// In the order of their tabs, where several share a place.
enum class PanelId : uint8_t {
  Source,
  Lesson,
  Banks,
  Sectors,
  Warp,
  Blocks,
  Elements,
  Partitions,
  Totals,
  Bandwidth,
  Models,
  Timeline,
  Registers,
  Output
};
inline constexpr size_t kPanels = 14;

/// "banks": what `screenshot --panel` takes, and the panel's name in tests.
std::string_view name_of(PanelId panel);
Text title_of(PanelId panel);

struct Preferences {
  plot::Theme mode = plot::Theme::Light;
  float text = kOrdinaryText;  // points
  std::array<bool, kPanels> shown = [] {
    std::array<bool, kPanels> all{};
    all.fill(true);
    return all;
  }();
};

}  // namespace lanescope::view
