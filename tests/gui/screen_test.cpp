// The window on a real screen (Xvfb in tests/run), and what is said where there is none.

#include "gui_test.h"
#include "support/project_options.h"

#include <cstdlib>

namespace lanescope {
namespace {

using tests::kProject;

bool has_screen() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

class Screen : public testing::Test {
 protected:
  Result<shell::Frames> open() {
    return shell::Frames::open(session_, {kProject / "assets/fonts", kProject / "shaders", {}}, {});
  }

  session::Session session_{tests::project_options()};
};

TEST_F(Screen, the_window_shows_what_the_session_has_run) {
  if (!has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
  session_.post(session::OpenLesson{"transpose"});
  auto frames = open();
  ASSERT_TRUE(frames) << frames.error().message;
  session_.wait_until_idle();
  for (int frame = 0; frame < 6; ++frame) {
    frames->window().wait_for_events(0);
    frames->draw();
  }
  EXPECT_FALSE(frames->window().wants_to_close());
  EXPECT_NE(frames->workspace().figure(view::PanelId::Sectors), nullptr);
  EXPECT_FALSE(frames->has_news());
}

TEST_F(Screen, a_window_that_fills_it_with_large_text_is_for_a_class) {
  if (!has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
  session_.post(session::OpenLesson{"transpose"});
  auto frames = open();
  ASSERT_TRUE(frames) << frames.error().message;
  session_.wait_until_idle();
  const auto shows_source = [&] {
    for (int frame = 0; frame < 10; ++frame) {
      frames->window().wait_for_events(0);
      frames->draw();
    }
    EXPECT_TRUE(frames->workspace().place(view::PanelId::Banks));
    return frames->workspace().place(view::PanelId::Source).has_value();
  };
  EXPECT_TRUE(shows_source());
  frames->workspace().preferences().is_projected = true;
  EXPECT_TRUE(shows_source());
  frames->window().toggle_full_screen();
  EXPECT_FALSE(shows_source());
  frames->window().toggle_full_screen();
  EXPECT_TRUE(shows_source());
}

TEST_F(Screen, a_new_snapshot_wakes_a_sleeping_window) {
  if (!has_screen()) GTEST_SKIP() << "no display: DISPLAY is not set";
  auto frames = open();
  ASSERT_TRUE(frames) << frames.error().message;
  session_.on_change(&shell::GlWindow::wake);
  session_.post(session::OpenLesson{"transpose"});
  // Each wait would last a minute if nothing woke it; the test's own limit would end it.
  while (session_.latest()->run == nullptr) frames->window().wait_for_events(60);
  session_.on_change({});
  EXPECT_TRUE(frames->has_news());
}

TEST_F(Screen, without_a_display_one_sentence_says_what_to_do) {
  if (has_screen()) GTEST_SKIP() << "there is a display";
  auto frames = open();
  ASSERT_FALSE(frames);
  EXPECT_NE(frames.error().message.find("lanescope screenshot"), std::string::npos) << frames.error().message;
}

}  // namespace
}  // namespace lanescope
