// A saved trace in the session: shown like a run, without what it does not hold.

#include "pipeline/saved_trace.h"

#include "model/block_costs.h"
#include "model/device_totals.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "trace/traffic.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <mutex>

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
    options.read_trace = [this](const std::filesystem::path& path, const trace::WantedBlocks& wanted) {
      return read(path, wanted);
    };
    session_ = std::make_unique<Session>(options);
    trace_ = *after(OpenLesson{"transpose"})->run->trace;
    // The reader finds no values of lanes.
    for (trace::StoredBlock& block : trace_->blocks)
      for (trace::StoredAccess& access : block.accesses) access.values_at = trace::StoredAccess::kNoValues;
  }
  /// The wanted blocks of the trace, at most blocks_at_once_ of them but for the one that is chosen.
  Result<trace::TracePart> read(const std::filesystem::path& path, const trace::WantedBlocks& wanted) {
    const std::lock_guard lock(reading_);
    if (!trace_) return fail(ErrorKind::Syntax, "this is no trace", Location{path.string(), 0});
    trace::TracePart part{*trace_, {}};
    part.trace.blocks.clear();
    for (const trace::StoredBlock& block : trace_->blocks) {
      const bool is_in_range = wanted.most_bytes > 0 && !part.next && block.cta.value >= wanted.first.value;
      const bool fits = part.trace.blocks.size() < blocks_at_once_;
      if (is_in_range && !fits) part.next = block.cta;
      if ((is_in_range && fits) || block.cta == wanted.also) part.trace.blocks.push_back(block);
    }
    most_in_memory_ = std::max(most_in_memory_, part.trace.blocks.size());
    return part;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }

  tests::TemporaryFolder folder_{"saved-trace"};
  std::mutex reading_;  // the session reads on while it is idle
  std::optional<trace::Trace> trace_;
  size_t blocks_at_once_ = SIZE_MAX, most_in_memory_ = 0;
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

TEST_F(SavedTraceTest, of_a_large_one_the_chosen_block_is_read_and_all_are_counted) {
  const trace::Trace whole = *trace_;
  blocks_at_once_ = 100;
  after(OpenFile{folder_ / "it.lane"});
  after(SetDevice{"gt200"});
  after(ShowBlockCosts{});
  after(ShowElements{.buffer = 0});
  session_->wait_until_modelled();
  auto now = session_->latest();
  ASSERT_TRUE(now->run->unread);
  EXPECT_EQ(now->run->unread->first, CtaId{100});
  EXPECT_TRUE(now->run->unread->are_counted);
  EXPECT_FALSE(now->reading);
  EXPECT_EQ(now->run->trace->blocks.size(), 100u) << "the others are not kept";
  const auto tiles = model::map_tiles(whole);
  ASSERT_EQ(now->run->tiles->size(), tiles.size());
  EXPECT_EQ(now->run->tiles->at(0).tiles.size(), 1024u);
  EXPECT_EQ(now->run->tiles->at(0).tiles.back().cta, tiles[0].tiles.back().cta);
  EXPECT_EQ(now->run->partitions->read_bytes, model::map_partitions(whole, now->choices.device).read_bytes);
  EXPECT_EQ(*now->run->device_totals, *model::device_totals(whole, 13));
  EXPECT_EQ(now->block_costs->blocks, model::block_costs(whole, 13).blocks);
  EXPECT_EQ(now->elements->block, model::map_elements(whole, 0, trace::Kind::Load)->block);

  now = after(SelectBlock{CtaId{1000}});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->selection.cta, CtaId{1000});
  EXPECT_EQ(now->selection.timeline.size(), 16u);
  EXPECT_EQ(now->run->trace->blocks.size(), 1u);
  EXPECT_EQ(now->run->tiles->at(0).tiles.size(), 1024u) << "what was counted stays";
  EXPECT_FALSE(now->busy);
  EXPECT_EQ(after(SelectBlock{CtaId{1023}})->selection.timeline.size(), 16u);
  EXPECT_EQ(most_in_memory_, 100u);
}

TEST_F(SavedTraceTest, a_large_one_that_is_replaced_meanwhile_is_an_error) {
  blocks_at_once_ = 100;
  after(OpenFile{folder_ / "it.lane"});
  {
    const std::lock_guard lock(reading_);
    trace_->kernel = "another";
  }
  const auto now = after(SelectBlock{CtaId{1000}});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("open it again"));
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
}

TEST_F(SavedTraceTest, of_a_large_one_both_sides_have_the_chosen_block) {
  blocks_at_once_ = 100;
  after(OpenFile{folder_ / "it.lane"});
  after(Pin{});
  const auto now = after(SelectBlock{CtaId{500}});
  EXPECT_EQ(now->selection.timeline.size(), 16u);
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_TRUE(now->pinned->run->unread->are_counted) << "A is kept once all is counted";
  EXPECT_EQ(now->pinned->selection.timeline.size(), 16u);
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
