// Where frames have little time, as in a page, panels draw their first run one after the other.

#include "gui_test.h"
#include "view/veil.h"

#include <algorithm>
#include <set>

namespace lanescope {
namespace {

using Ids = std::vector<view::PanelId>;

class FirstDraws : public GuiTest {
 protected:
  /// The panels of the run whose contents were in the frame.
  Ids in_frame() {
    frames_->draw();
    Ids panels;
    for (const view::PanelRow& row : view::panel_rows())
      if (view::is_of_run(row.id) && workspace().place(row.id)) panels.push_back(row.id);
    return panels;
  }
};

/// Until docks and panels have their places.
constexpr int kFrames = 30;

TEST_F(FirstDraws, are_in_one_frame_on_a_machine) {
  size_t before = 0, most_new = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    const size_t now = in_frame().size();
    most_new = std::max(most_new, now - std::min(now, before));
    before = now;
    EXPECT_FALSE(workspace().first_draws().go_on());
  }
  EXPECT_GE(most_new, 2u);
}

TEST_F(FirstDraws, come_one_in_a_frame_where_there_is_no_time) {
  workspace().first_draws().spread(0);
  std::set<view::PanelId> drawn;
  for (int frame = 0; frame < kFrames; ++frame) {
    const size_t before = drawn.size();
    for (const view::PanelId panel : in_frame()) drawn.insert(panel);
    EXPECT_LE(drawn.size(), before + 1);
    if (workspace().first_draws().go_on()) {
      EXPECT_EQ(drawn.size(), before + 1);
      EXPECT_EQ(workspace().seconds_until_motion(), 0);
    }
  }
  EXPECT_FALSE(workspace().first_draws().go_on());
  const Ids spread = in_frame();
  workspace().first_draws().spread(60);
  EXPECT_EQ(in_frame(), spread);
  EXPECT_GE(spread.size(), 3u);
}

TEST_F(FirstDraws, are_not_repeated_for_the_next_run) {
  workspace().first_draws().spread(0);
  for (int frame = 0; frame < kFrames; ++frame) in_frame();
  const Ids before = in_frame();
  session_->post(session::SetToggle{"padding", "1"});
  session_->wait_until_idle();
  EXPECT_EQ(in_frame(), before);
  EXPECT_FALSE(workspace().first_draws().go_on());
}

}  // namespace
}  // namespace lanescope
