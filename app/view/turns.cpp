#include "view/turns.h"

#include "view/layout.h"

namespace lanescope::view {

void Turns::follow(const session::Snapshot& now) {
  if (!now.run || (now.run_generation == run_ && now.selection.access == access_)) return;
  run_ = now.run_generation;
  access_ = now.selection.access;
  if (now.selection.access >= now.selection.timeline.size()) return;
  const bool is_shared = now.selection.timeline[now.selection.access].operation.space == trace::Space::Shared;
  const PanelId about = is_shared ? PanelId::Banks : PanelId::Sectors,
                other = is_shared ? PanelId::Sectors : PanelId::Banks;
  if (stands_before(other, about)) select_panels({&about, 1});
}

}  // namespace lanescope::view
