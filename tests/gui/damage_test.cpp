// Drawing only what changed gives the picture that drawing everything gives.

#include "gui_test.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

namespace lanescope {
namespace {

/// Where pictures differ by more than a rounding of colors, and by how much; empty: nowhere. A triangle that
/// is clipped to a tile may be rounded otherwise than the whole one, by 1 of 255 (Mesa 25, three pixels).
std::string difference_of(const shell::Image& a, const shell::Image& b) {
  int count = 0, most = 0, left = a.width, top = a.height, right = 0, bottom = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const size_t at = (static_cast<size_t>(y) * static_cast<size_t>(a.width) + static_cast<size_t>(x)) * 4;
      int here = 0;
      for (size_t n = at; n < at + 3; ++n) here = std::max(here, std::abs(a.rgba[n] - b.rgba[n]));
      if (here <= 1) continue;
      ++count;
      most = std::max(most, here);
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
      bottom = std::max(bottom, y);
    }
  if (count == 0) return {};
  return fmt::format("{} pixels by up to {} of 255 in x {} to {}, y {} to {}", count, most, left, right, top,
                     bottom);
}

class DamageTest : public GuiTest {
 protected:
  /// The picture as the frames left it, and as one frame draws it whole.
  void expect_whole_picture(const std::string& after) {
    const shell::Image kept = frames_->window().read_back();
    frames_->window().forget_picture();
    const double drawn = frames_->draw().drawn;
    const shell::Image whole = frames_->window().read_back();
    EXPECT_EQ(drawn, 1);
    ASSERT_EQ(kept.rgba.size(), whole.rgba.size());
    EXPECT_EQ(difference_of(kept, whole), "") << after << " left something of an older frame";
  }
  void draw_until_still() {
    session_->wait_until_modelled();  // else its progress may change between the two pictures
    for (int frame = 0; frame < 60; ++frame)
      if (frames_->draw().drawn == 0 && frame > 8) return;
    ADD_FAILURE() << "the window does not come to rest";
  }
};

TEST_F(DamageTest, what_is_drawn_anew_makes_the_whole_picture) {
  std::mt19937 random(20261123);
  const std::vector<ImGuiKey> keys{ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_End, ImGuiKey_P,
                                   ImGuiKey_D,          ImGuiKey_K,         ImGuiKey_L,   ImGuiKey_F1,
                                   ImGuiKey_Escape,     ImGuiKey_F12,       ImGuiKey_F2,  ImGuiKey_Enter};
  std::uniform_int_distribution<size_t> key(0, keys.size() - 1);
  std::uniform_real_distribution<float> x(0, 1600), y(0, 900);
  draw_until_still();
  for (int action = 0; action < 24; ++action) {
    const ImGuiKey pressed = keys[key(random)];
    ImGui::GetIO().AddMousePosEvent(x(random), y(random));
    ImGui::GetIO().AddKeyEvent(pressed, true);
    ImGui::GetIO().AddKeyEvent(pressed, false);
    frames_->draw();
    if (action % 3 == 0) session_->wait_until_idle();
    frames_->draw();
    // The readout of the frame rate differs from frame to frame.
    workspace().preferences().shows_frame_rate = false;
    frames_->draw();
    draw_until_still();
    ASSERT_NO_FATAL_FAILURE(expect_whole_picture(ImGui::GetKeyName(pressed)));
  }
}

TEST_F(DamageTest, a_step_draws_a_part_and_rest_draws_nothing) {
  draw_until_still();
  EXPECT_EQ(frames_->draw().drawn, 0);
  session_->post(session::Step{session::Step::To::Next});
  session_->wait_until_idle();
  const double drawn = frames_->draw().drawn;
  EXPECT_GT(drawn, 0);
  EXPECT_LT(drawn, 0.9);
}

TEST_F(DamageTest, f12_shows_how_fast_frames_are) {
  drive([&](ImGuiTestContext& context) {
    press(context, ImGuiKey_F12);
    EXPECT_TRUE(workspace().preferences().shows_frame_rate);
    picture(context, "frame_rate");
    press(context, ImGuiKey_F12);
    EXPECT_FALSE(workspace().preferences().shows_frame_rate);
  });
}

}  // namespace
}  // namespace lanescope
