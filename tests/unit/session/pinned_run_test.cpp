// Two runs side by side: A is kept while settings change, and follows the place in the present run.

#include "session/pinned_run.h"

#include "session/session.h"
#include "support/project_options.h"
#include "trace/traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

class PinnedRunTest : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  static uint64_t column(const Snapshot& of) {
    return trace::total_of(*of.run->trace, trace::Space::Shared, trace::Traffic::Load).wavefronts;
  }

  Session session_{tests::project_options(1)};
};

TEST_F(PinnedRunTest, a_stays_while_a_toggle_changes) {
  const auto before = after(OpenLesson{"transpose"});
  auto now = after(Pin{});
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_EQ(now->pinned->run, before->run);
  EXPECT_TRUE(now->has_same_sites);
  now = after(SetToggle{"padding", "1"});
  EXPECT_EQ(column(*now->pinned), 32768u * 32);
  EXPECT_EQ(column(*now), 32768u);
  EXPECT_EQ(now->pinned->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(now->pinned->pinned, nullptr);
  EXPECT_TRUE(now->has_same_sites) << "padding is no other code";
  EXPECT_EQ(after(Unpin{})->pinned, nullptr);
}

TEST_F(PinnedRunTest, a_stays_while_kernel_lesson_and_device_change) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  auto now = after(SetToggle{"kernel", "naive"});
  EXPECT_EQ(now->pinned->run->kernel, "transpose_tiled");
  EXPECT_EQ(now->run->kernel, "transpose_naive");
  EXPECT_FALSE(now->has_same_sites);
  now = after(SetDevice{"h200"});
  EXPECT_EQ(now->pinned->choices.device.name, "gt200");
  EXPECT_NE(now->pinned->run->partitions, nullptr);
  EXPECT_EQ(now->run->partitions, nullptr);
  now = after(OpenLesson{now->available.lessons.back()});
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->pinned->choices.lesson->name, "transpose");
}

TEST_F(PinnedRunTest, stepping_moves_a_to_the_matching_access) {
  after(OpenLesson{"transpose"});
  after(SetDevice{"h200"});
  after(Pin{});
  after(SetToggle{"padding", "1"});
  auto now = after(SelectAccess{.index = 14});
  EXPECT_EQ(now->pinned->selection.access, 14u);
  ASSERT_TRUE(now->selection.current->banks && now->pinned->selection.current->banks)
      << "both are at the reads of a column";
  EXPECT_EQ(now->selection.current->banks->wavefronts, 1);
  EXPECT_EQ(now->pinned->selection.current->banks->wavefronts, 32);
}

TEST_F(PinnedRunTest, another_kernel_is_compared_at_the_access_of_the_same_kind) {
  after(OpenLesson{"transpose"});
  after(SetDevice{"h200"});
  after(SetToggle{"kernel", "naive"});
  after(Pin{});
  after(SetToggle{"kernel", "tiled"});
  const auto now = after(Step{Step::To::Last});  // a store to global memory
  EXPECT_EQ(now->selection.timeline[now->selection.access].operation.kind, trace::Kind::Store);
  const auto& a = now->pinned->selection;
  EXPECT_EQ(a.timeline[a.access].operation.kind, trace::Kind::Store);
  EXPECT_EQ(a.timeline[a.access].operation.space, trace::Space::Global);
  EXPECT_EQ(now->selection.current->sectors->sectors, 4);
  EXPECT_EQ(a.current->sectors->sectors, 32);
}

TEST_F(PinnedRunTest, an_access_or_a_line_of_a_selects_what_corresponds_to_it) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"kernel", "naive"});
  auto now = after(Pin{});
  const int line = now->selection.timeline.back().line;
  const auto last = static_cast<uint32_t>(now->selection.timeline.size() - 1);
  after(SetToggle{"kernel", "tiled"});
  now = after(SelectAccess{.index = last, .side = Side::A});
  EXPECT_EQ(now->selection.timeline[now->selection.access].operation.kind, trace::Kind::Store);
  EXPECT_EQ(now->pinned->selection.access, last);
  after(SelectAccess{});
  now = after(SelectLine{.line = line, .side = Side::A});
  EXPECT_EQ(now->pinned->selection.timeline[now->pinned->selection.access].line, line);
}

TEST_F(PinnedRunTest, another_block_runs_a_again_with_its_values) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"padding", "1"});
  const auto now = after(SelectBlock{CtaId{33}});
  EXPECT_EQ(now->pinned->selection.cta.value, 33u);
  ASSERT_FALSE(now->pinned->selection.lanes.empty());
  EXPECT_EQ(now->pinned->selection.lanes[5].value, now->selection.lanes[5].value);
  EXPECT_FALSE(now->pinned->selection.lanes[5].value.empty());
  EXPECT_EQ(now->pinned->choices.settings.values.at("padding"), "0");
}

TEST_F(PinnedRunTest, in_another_grid_a_block_is_the_one_at_the_same_place) {
  after(OpenLesson{"transpose"});
  after(Pin{});  // 32 x 32 blocks
  after(SetToggle{"size", "2048"});
  auto now = after(SelectBlock{CtaId{64 + 3}});  // (3, 1)
  EXPECT_EQ(now->pinned->selection.cta.value, 32u + 3);
  now = after(SelectBlock{CtaId{64 * 64 - 1}});
  EXPECT_EQ(now->pinned->selection.cta.value, 32u * 32 - 1) << "the nearest block that there is";
}

TEST_F(PinnedRunTest, swapping_exchanges_both_and_back) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  const auto before = after(SetToggle{"padding", "1"});
  const auto now = after(SwapPinned{});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.settings.values.at("padding"), "0");
  EXPECT_EQ(now->run, before->pinned->run);
  EXPECT_EQ(now->pinned->run, before->run);
  EXPECT_GT(now->run_generation, before->run_generation);
  // What is chosen now is what runs.
  EXPECT_EQ(column(*after(SetToggle{"size", "512"})), 8192u * 32);
  EXPECT_EQ(after(SwapPinned{})->run, before->run);
}

TEST_F(PinnedRunTest, swapping_exchanges_all_that_a_run_shows) {
  after(OpenLesson{"transpose"});
  const auto a = after(Pin{});
  const auto b = after(SetToggle{"size", "2048"});
  ASSERT_NE(a->waves, b->waves);
  const auto now = after(SwapPinned{});
  EXPECT_EQ(now->waves, a->waves);
  EXPECT_EQ(now->pinned->waves, b->waves);
  EXPECT_EQ(now->run, a->run);
  EXPECT_EQ(now->pinned->run, b->run);
  EXPECT_EQ(now->pinned->sources, b->sources);
  EXPECT_EQ(now->pinned->available.devices.size(), now->available.devices.size());
}

TEST_F(PinnedRunTest, the_history_of_a_warp_is_the_swapped_run_s) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"kernel", "naive"});
  after(SwapPinned{});
  const auto now = after(ShowHistory{});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_NE(now->history.recorded, nullptr);
}

TEST_F(PinnedRunTest, nothing_is_pinned_or_swapped_where_there_is_no_run) {
  auto now = after(Pin{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("nothing to compare"));
  EXPECT_EQ(now->pinned, nullptr);
  after(OpenLesson{"transpose"});
  now = after(SwapPinned{});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("nothing is compared"));
}

TEST_F(PinnedRunTest, pinning_and_a_toggle_in_quick_succession_compare_both) {
  after(OpenLesson{"transpose"});
  session_.post(Pin{});
  session_.post(SetToggle{"padding", "1"});
  session_.post(SetToggle{"order", "diagonal"});
  session_.wait_until_idle();
  const auto now = session_.latest();
  EXPECT_EQ(column(*now->pinned), 32768u * 32);
  EXPECT_EQ(now->pinned->choices.settings.values.at("order"), "row-major");
  EXPECT_EQ(column(*now), 32768u);
}

TEST_F(PinnedRunTest, maps_that_are_asked_for_are_made_of_both) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"kernel", "naive"});
  after(ShowElements{.buffer = 1, .kind = trace::Kind::Store});
  const auto now = after(ShowValues{});
  ASSERT_NE(now->elements, nullptr);
  ASSERT_NE(now->pinned->elements, nullptr);
  EXPECT_EQ(now->pinned->elements->buffer, 1u);
  EXPECT_TRUE(now->pinned->values != nullptr);
}

}  // namespace
}  // namespace lanescope::session
