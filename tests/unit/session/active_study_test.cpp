// How the session works through the runs of a study, and the wave of blocks that is shown.

#include "session/session.h"
#include "session/study_state.h"
#include "support/project_options.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

const plot::Frame kFrame{.size = {800, 450}};

class StudySession : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  Session session_{tests::project_options(1)};
};

TEST_F(StudySession, carries_out_the_runs_and_makes_the_figure) {
  const auto now = after(ShowStudy{{.study = study::Study::Queues}});
  ASSERT_NE(now->study, nullptr);
  ASSERT_FALSE(now->study->error) << now->study->error->message;
  EXPECT_EQ(now->study->runs_done, 2u);
  ASSERT_TRUE(now->study->make);
  EXPECT_EQ(now->study->make(kFrame).name, "queues");
}

TEST_F(StudySession, a_long_study_can_be_cancelled) {
  session_.post(ShowStudy{{.study = study::Study::Widths}});
  const auto now = after(CancelStudy{});
  ASSERT_NE(now->study, nullptr);
  EXPECT_TRUE(now->study->cancelled);
  EXPECT_FALSE(now->study->make);
  EXPECT_LT(now->study->runs_done, now->study->runs);
}

TEST_F(StudySession, a_study_that_cannot_be_planned_reports_why) {
  const auto now = after(ShowStudy{{.study = study::Study::Traffic}});
  ASSERT_NE(now->study, nullptr);
  ASSERT_TRUE(now->study->error);
  EXPECT_FALSE(now->error);  // the run is not to blame
}

TEST_F(StudySession, traffic_of_the_current_run_has_both_directions) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"size", "512"});
  const auto now = after(ShowStudy{{.study = study::Study::Traffic}});
  ASSERT_TRUE(now->study->make) << (now->study->error ? now->study->error->message : "");
  const plot::Figure figure = now->study->make(kFrame);
  int64_t read = 0, written = 0;
  for (const auto& row : figure.table.rows) {
    read += std::get<int64_t>(row[4]);
    written += std::get<int64_t>(row[5]);
  }
  EXPECT_EQ(read, 512 * 512 * 4);
  EXPECT_EQ(written, 512 * 512 * 4);
}

TEST_F(StudySession, the_wave_can_be_chosen_up_to_the_last) {
  after(OpenLesson{"transpose"});
  auto now = after(SelectWave{3});
  EXPECT_EQ(now->wave, 3u);
  EXPECT_EQ(now->waves, 12u);  // 1024 blocks, 90 in flight
  EXPECT_EQ(after(SelectWave{1000})->wave, 11u);
  now = after(SetDevice{"h200"});
  EXPECT_EQ(now->wave, 0u);
  EXPECT_EQ(now->waves, 1u);  // 1056 in flight
}

}  // namespace
}  // namespace lanescope::session
