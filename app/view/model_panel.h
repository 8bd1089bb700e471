// The panel of the models' figures. It keeps which figure is wanted; the session has the figure itself.
// Test: tests/gui/model_panel_test.cpp

#pragma once

#include "view/figure_view.h"

#include <optional>

namespace lanescope::view {

class ModelPanel {
 public:
  void draw(const Context& context);
  const FigureView& view() const { return view_; }

 private:
  /// What the figure depends on: asked for again when it changes.
  struct Asked {
    study::StudyRequest request;
    model::Device device;
    uint64_t run_generation = 0;  // of figures of the current run
    bool operator==(const Asked&) const = default;
  };

  void draw_chooser(const Context& context);
  void draw_waiting(const Context& context, const session::StudyState* state);
  void ask(const Context& context);

  std::optional<study::StudyRequest> wanted_;
  std::optional<Asked> asked_;
  FigureView view_;
};

}  // namespace lanescope::view
