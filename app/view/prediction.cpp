#include "view/prediction.h"

namespace lanescope::view {

std::optional<Text> question_of(PanelId panel) {
  switch (panel) {
    case PanelId::Banks:
      return Text::predict_banks;
    case PanelId::Sectors:
      return Text::predict_sectors;
    case PanelId::Lanes:
      return Text::predict_lanes;
    case PanelId::Blocks:
      return Text::predict_blocks;
    case PanelId::Grid:
      return Text::predict_grid;
    case PanelId::Partitions:
      return Text::predict_partitions;
    case PanelId::Totals:
      return Text::predict_totals;
    case PanelId::Bandwidth:
      return Text::predict_bandwidth;
    default:
      return {};
  }
}

void Prediction::turn() {
  is_on_ = !is_on_;
  revealed_.fill(false);
}

void Prediction::follow(const session::Snapshot& now) {
  const Shown shown{now.run_generation, now.selection.cta, now.selection.warp, now.selection.access,
                    now.history.instruction};
  if (shown == shown_) return;
  shown_ = shown;
  revealed_.fill(false);
}

}  // namespace lanescope::view
