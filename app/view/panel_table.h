// Which panels there are: one row of panels.def each, with its name, its title, where it is docked at first,
// and what makes it. Tests: tests/gui/panel_test.cpp

#pragma once

#include "base/text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::view {

class Panel;

/// In the order of their tabs, where several share a dock.
enum class PanelId : uint8_t {
#define PANEL(id, name, title, exports, dock) id,
#include "view/panels.def"
#undef PANEL
};

enum class Exports : uint8_t { Nothing, Figure };

/// Places of the default layouts. Bar is the bar below all panels, which is no dock.
enum class Dock : uint8_t { Bar, Left, LeftBottom, TopLeft, TopRight, BottomLeft, BottomMiddle, BottomRight };
inline constexpr size_t kDocks = 8;

struct PanelRow {
  PanelId id;
  std::string_view name;  // "banks"
  Text title;
  Exports exports;
  Dock dock;
  std::unique_ptr<Panel> (*make)();
};

inline constexpr size_t kPanels = 0
#define PANEL(id, name, title, exports, dock) +1
#include "view/panels.def"
#undef PANEL
    ;

/// [PanelId]
const std::array<PanelRow, kPanels>& panel_rows();
const PanelRow& row_of(PanelId panel);

/// "banks": what `screenshot --panel` takes, and the panel's name in settings and tests.
std::string_view name_of(PanelId panel);
Text title_of(PanelId panel);
/// "###banks": the panel's window in Dear ImGui, whatever its title is.
std::string window_of(PanelId panel);
std::optional<PanelId> panel_named(std::string_view name);

}  // namespace lanescope::view
