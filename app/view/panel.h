// A panel of the window. Each is a class in its own file, NAME_panel.cpp, which ends with its factory
// make_NAME_panel(); panels.def has a row for each. A panel keeps no state of the program: it reads
// the snapshot and posts commands.

#pragma once

#include "view/figure_view.h"
#include "view/panel_table.h"

#include <memory>
#include <optional>

namespace lanescope::view {

class Panel {
 public:
  virtual ~Panel() = default;
  /// Fills the current window.
  virtual void draw(const Context& context) = 0;
  /// The figure that was drawn last, which is what an export writes; null where there is none.
  virtual const plot::Figure* figure() const { return nullptr; }
  /// Whether the contents reach to the edges of the window, with no margin.
  virtual bool fills_window() const { return false; }

  /// Called before each frame, also while the panel is hidden: plays on when it is time.
  virtual void advance(const Context& /*context*/) {}
  /// When it moves on without input, by Dear ImGui's clock; nothing: it does not.
  virtual std::optional<double> moves_at() const { return {}; }
  /// A text that was typed here and that the snapshot does not have yet.
  virtual std::optional<session::EditedText> typed(const session::Snapshot& /*now*/) const { return {}; }
  /// The key for play and pause; sent to the panel in the bar.
  virtual void toggle_play(const Context& /*context*/) {}
};

/// A panel of one figure.
class FigurePanel : public Panel {
 public:
  const plot::Figure* figure() const override { return view_.figure(); }

 protected:
  /// Fills the panel with a title and why there is no figure.
  void draw_no_figure(const Context& context, Text title, Text why);

  FigureView view_;
};

/// What a panel says while there is no run: working, failed with the reason, or nothing chosen yet. Returns
/// whether it said something.
bool draw_no_run(const Context& context);
/// What it says of a saved trace that lacks what it shows. Returns whether it said something.
bool draw_not_saved(const Context& context, Text why, Text what_to_do);

}  // namespace lanescope::view
