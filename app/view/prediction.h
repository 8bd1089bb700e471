// Predict, then reveal: panels with results are covered until they are clicked. A step, a toggle or another
// run covers them again. Test: tests/gui/prediction_test.cpp

#pragma once

#include "session/snapshot.h"
#include "view/panel_table.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::view {

/// The question on the cover of a panel; nothing for panels that give no result away.
std::optional<Text> question_of(PanelId panel);

class Prediction {
 public:
  bool is_on() const { return is_on_; }
  /// On or off; panels are covered from now on.
  void turn();
  bool covers(PanelId panel) const { return is_on_ && !revealed_[static_cast<size_t>(panel)]; }
  void reveal(PanelId panel) { revealed_[static_cast<size_t>(panel)] = true; }
  void reveal_all() { revealed_.fill(true); }
  /// Covers the panels again where the snapshot shows another step or run.
  void follow(const session::Snapshot& now);

 private:
  struct Shown {
    uint64_t run = 0;
    CtaId cta;
    WarpId warp;
    uint32_t access = 0;
    uint32_t instruction = 0;
    bool operator==(const Shown&) const = default;
  };
  bool is_on_ = false;
  std::array<bool, kPanels> revealed_{};  // [PanelId]
  Shown shown_;
};

}  // namespace lanescope::view
