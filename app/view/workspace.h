// The whole window for one frame: toolbar, docked panels, time line, dialogs, keys.
// Method: panels are windows of Dear ImGui in one dock space, arranged at first as the default layout says;
// each dock node is drawn as a card. Reads a snapshot, posts commands, never waits.
// Tests: tests/gui/*

#pragma once

#include "view/dialogs.h"
#include "view/layout.h"
#include "view/model_panel.h"
#include "view/panels.h"
#include "view/preferences.h"
#include "view/registers_panel.h"
#include "view/source_panel.h"
#include "view/stepper.h"
#include "view/toolbar.h"

#include <array>
#include <optional>

namespace lanescope::view {

class Workspace {
 public:
  /// Everything, in the size of the main viewport.
  void draw(const session::Snapshot& now, const Theme& theme, const Actions& actions);
  /// One panel alone, as large as the viewport: for pictures.
  void draw_alone(PanelId panel, const session::Snapshot& now, const Theme& theme, const Actions& actions);

  Preferences& preferences() { return preferences_; }
  /// The panels stand where Dear ImGui's settings say: the default layout is not wanted.
  void keep_arrangement() { arrangement_ = Arrangement::Own; }
  /// Whether something moves by itself, so that the next frame must not be waited for.
  bool animating() const {
    return stepper_.playing() || blocks_.playing() || busy_shown_ || notices_.shown() || export_request_;
  }
  /// The figure that a panel shows now; null where it shows none or is not in sight.
  const plot::Figure* figure(PanelId panel) const;
  const Notices& notices() const { return notices_; }
  const Highlight& highlight() const { return highlight_; }

 private:
  void draw_panel(PanelId panel, const Context& context);
  void draw_bars_and_panels(const Context& context);
  void draw_toolbar(const Context& context, ImVec2 corner, float width, float height);
  void draw_error(const Context& context, ImVec2 corner, float width);
  void draw_dock_space(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_stepper(const Context& context, ImVec2 corner, ImVec2 size);
  void draw_progress(const Context& context, ImVec2 corner, float width);
  void arrange(const Theme& theme, ImGuiID dock_space, ImVec2 corner, ImVec2 size);
  void take_keys(const Context& context);
  void take_export_request(const Context& context);

  Preferences preferences_;
  Highlight highlight_, hovered_;
  std::optional<PanelId> export_request_;
  int frames_until_export_ = 0;        // how long the request has waited for its panel
  std::array<bool, kPanels> drawn_{};  // in the last frame
  SourcePanel source_;
  LessonPanel lesson_;
  WarpPanel warp_;
  RegistersPanel registers_;
  OutputPanel output_;
  BankPanel banks_;
  SectorPanel sectors_;
  PartitionPanel partitions_;
  BlockPanel blocks_;
  TotalsPanel totals_;
  BandwidthPanel bandwidth_;
  ElementPanel elements_;
  ModelPanel models_;
  Stepper stepper_;
  Toolbar toolbar_;
  ExportDialog export_dialog_;
  HelpOverlay help_;
  Notices notices_;
  std::optional<Arrangement> arrangement_;  // nothing: to be chosen
  int frames_arranged_ = 0;
  ImGuiID places_ = 0;  // of the panels, once arranged: what a person changed is left alone
  bool busy_shown_ = false;
  double busy_since_ = -1;
};

std::optional<PanelId> panel_named(std::string_view name);

}  // namespace lanescope::view
