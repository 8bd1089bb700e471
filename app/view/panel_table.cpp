#include "view/panel_table.h"

#include <algorithm>

namespace lanescope::view {
namespace {

/// The name that sessions and settings of an earlier version have.
struct FormerName {
  std::string_view name;
  PanelId panel;
};
constexpr std::array kFormerNames{FormerName{"memory", PanelId::MemoryChart},
                                  FormerName{"roofline", PanelId::KernelRoofline}};

}  // namespace

#define PANEL(id, name, title, exports, dock) std::unique_ptr<Panel> make_##name##_panel();
#include "view/panels.def"
#undef PANEL

const std::array<PanelRow, kPanels>& panel_rows() {
  static constexpr std::array<PanelRow, kPanels> kRows{{
#define PANEL(id, name, title, exports, dock) \
  {PanelId::id, #name, Text::title, Exports::exports, Dock::dock, make_##name##_panel},
#include "view/panels.def"
#undef PANEL
  }};
  return kRows;
}

const PanelRow& row_of(PanelId panel) { return panel_rows()[static_cast<size_t>(panel)]; }
std::string_view name_of(PanelId panel) { return row_of(panel).name; }
Text title_of(PanelId panel) { return row_of(panel).title; }
std::string window_of(PanelId panel) { return "###" + std::string(name_of(panel)); }

std::optional<PanelId> panel_named(std::string_view name) {
  const auto found = std::ranges::find(panel_rows(), name, &PanelRow::name);
  if (found != panel_rows().end()) return found->id;
  const auto former = std::ranges::find(kFormerNames, name, &FormerName::name);
  if (former != kFormerNames.end()) return former->panel;
  return {};
}

}  // namespace lanescope::view
