// A saved trace in the session: shown like a run, without what it does not hold.

#include "pipeline/saved_trace.h"

#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "trace/traffic.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class SavedTraceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "it.lane") << "the reader of the test does not look at it";
    pipeline::Options options = tests::project_options(1);
    options.read_trace = [this](const std::filesystem::path& path) -> Result<trace::Trace> {
      if (!trace_) return fail(ErrorKind::Syntax, "this is no trace", Location{path.string(), 0});
      return *trace_;
    };
    session_ = std::make_unique<Session>(options);
    trace_ = *after(OpenLesson{"transpose"})->run->trace;
    // The reader finds no values of lanes.
    for (trace::StoredBlock& block : trace_->blocks)
      for (trace::StoredAccess& access : block.accesses) access.values_at = trace::StoredAccess::kNoValues;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }

  tests::TemporaryFolder folder_{"saved-trace"};
  std::optional<trace::Trace> trace_;
  std::unique_ptr<Session> session_;
};

TEST_F(SavedTraceTest, it_is_shown_with_its_accesses_totals_and_partitions) {
  const auto now = after(OpenFile{folder_ / "it.lane"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.lesson, nullptr);
  EXPECT_TRUE(now->choices.file->is_trace());
  EXPECT_TRUE(pipeline::is_saved_trace(*now->run));
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
  EXPECT_EQ(trace::total_of(*now->run->trace, trace::Space::Shared, trace::Traffic::Load).wavefronts,
            32768u * 32);
  EXPECT_EQ(now->choices.device.name, "h200") << "not that of the lesson before it";
  EXPECT_EQ(now->run->partitions, nullptr);
  EXPECT_EQ(now->selection.timeline.size(), 16u);
  EXPECT_TRUE(now->selection.lanes.front().value.empty());
  EXPECT_NE(after(SetDevice{"gt200"})->run->partitions, nullptr);
}

TEST_F(SavedTraceTest, another_block_is_looked_up_and_nothing_runs) {
  const auto before = after(OpenFile{folder_ / "it.lane"});
  auto now = after(SelectBlock{CtaId{33}});
  EXPECT_EQ(now->selection.cta.value, 33u);
  EXPECT_EQ(now->run, before->run);
  EXPECT_EQ(now->selection.timeline.size(), 16u);
  now = after(ShowHistory{});
  EXPECT_EQ(now->history.recorded, nullptr);
  EXPECT_FALSE(now->busy);
}

TEST_F(SavedTraceTest, it_is_compared_with_a_run_on_either_side) {
  after(OpenFile{folder_ / "it.lane"});
  after(Pin{});
  after(OpenLesson{"transpose"});
  auto now = after(SetToggle{"padding", "1"});
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_TRUE(pipeline::is_saved_trace(*now->pinned->run));
  now = after(SelectBlock{CtaId{33}});
  EXPECT_EQ(now->pinned->selection.cta.value, 33u);
  EXPECT_EQ(now->pinned->selection.timeline.size(), 16u);
  now = after(SwapPinned{});
  EXPECT_TRUE(pipeline::is_saved_trace(*now->run));
  EXPECT_EQ(now->pinned->choices.settings.values.at("padding"), "1");
}

TEST_F(SavedTraceTest, a_file_that_is_no_trace_is_an_error_with_its_place) {
  trace_.reset();
  auto now = after(OpenFile{folder_ / "it.lane"});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(describe(*now->error), HasSubstr("it.lane"));
  EXPECT_EQ(now->run, nullptr);
  now = after(OpenFile{folder_ / "missing.lane"});
  EXPECT_THAT(describe(*now->error), HasSubstr("no such file"));
}

}  // namespace
}  // namespace lanescope::session
