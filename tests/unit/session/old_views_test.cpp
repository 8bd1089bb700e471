// Links and sessions as earlier versions of the program wrote them (tests/data/old_views): each opens, and at
// its step.

#include "session/lecture_state.h"
#include "session/session.h"
#include "session/session_file.h"
#include "session/view_link.h"
#include "support/project_options.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

const std::filesystem::path kOld = tests::kProject / "tests/data/old_views";

class OldViews : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  std::shared_ptr<const Snapshot> opened(const std::string& file) { return after(OpenFile{kOld / file}); }

  Session session_{tests::project_options(1)};
};

TEST_F(OldViews, every_link_that_a_version_wrote_opens_with_all_that_it_says) {
  const pipeline::Options options = tests::project_options(1);
  std::ifstream lines(kOld / "links.txt");
  size_t links = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    ++links;
    for (const std::string& begin : {std::string(kLinkBegin), std::string("http://192.0.2.7:8000/#")}) {
      const LinkedView view = view_of_link(begin + line, options, {});
      EXPECT_FALSE(view.problem) << line << ": " << describe(*view.problem);
    }
  }
  EXPECT_GT(links, 100u) << "the file was not read";
}

TEST_F(OldViews, a_link_of_the_first_version_of_links_gives_its_step) {
  const auto now = after(
      OpenLink{"lanescope://view?lesson=transpose&kernel=padded&element=4&margin=0&order=row-major&padding=1"
               "&size=1024&swizzle=off&tile=32&device=h200&block=1,1,0&warp=2&access=5&lang=fr"
               "&a.kernel=tiled&a.element=4&a.margin=0&a.order=row-major&a.padding=0&a.size=1024"
               "&a.swizzle=off&a.tile=32&a.device=gt200"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.kernel, "padded");
  EXPECT_EQ(now->choices.settings.values.at("order"), "row-major");
  EXPECT_EQ(now->choices.language, Language::French);
  EXPECT_EQ(now->selection.cta.value, 33u);
  EXPECT_EQ(now->selection.warp.value, 2u);
  EXPECT_EQ(now->selection.access, 5u);
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_EQ(now->pinned->choices.device.name, "gt200");
}

/// `step` was a toggle of the lesson's first version alone, where it changed what two of its kernels do.
TEST_F(OldViews, a_link_with_a_toggle_that_its_lesson_has_no_more_says_which) {
  const LinkedView view = view_of_link("#lesson=caches&kernel=stores&hint=none&kib=64&step=2&warps=1",
                                       tests::project_options(1), {});
  ASSERT_TRUE(view.problem);
  EXPECT_THAT(view.problem->message, testing::HasSubstr("step=2"));
}

TEST_F(OldViews, a_session_of_the_first_format_comes_back_at_its_step) {
  const auto now = opened("2026-11-23.lanescope");
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.values.at("padding"), "1");
  EXPECT_EQ(now->choices.device.name, "h200");
  EXPECT_EQ(now->choices.level, trace::CountLevel::Ptx) << "there was no other";
  EXPECT_EQ(now->selection.cta.value, 33u);
  EXPECT_EQ(now->selection.warp.value, 2u);
  EXPECT_EQ(now->selection.access, 5u);
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_EQ(now->pinned->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(now->session->enlarged, "banks");
}

TEST_F(OldViews, sessions_of_the_later_formats_come_back_with_lecture_and_level) {
  const auto lecture = opened("2026-11-27.lanescope");
  ASSERT_FALSE(lecture->error) << describe(*lecture->error);
  ASSERT_NE(lecture->lecture, nullptr);
  EXPECT_EQ(lecture->lecture->step, 3u);
  EXPECT_EQ(lecture->choices.lesson->name, "banks");
  const auto read = read_session_file(kOld / "2026-11-28.lanescope", tests::project_options(1));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->choices.present->level, trace::CountLevel::MachineCode);
  EXPECT_EQ(read->choices.place.cta.value, 1u);
  EXPECT_THAT(read->window->panels, testing::Contains("memory")) << "the name that the panel had then";
}

}  // namespace
}  // namespace lanescope::session
