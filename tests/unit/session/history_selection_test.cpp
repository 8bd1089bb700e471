// Walking through the instructions of the selected warp, together with its accesses.

#include "session/register_row.h"
#include "session/session.h"
#include "support/project.h"
#include "trace/history.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class HistoryTest : public testing::Test {
 protected:
  HistoryTest() {
    after(OpenLesson{"transpose"});
    after(ShowHistory{});
  }

  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  std::shared_ptr<const Snapshot> now() const { return session_.latest(); }
  static const trace::History::Instruction& shown(const Snapshot& snapshot) {
    return snapshot.history.recorded
        ->instructions[snapshot.history.recorded->entries[snapshot.history.instruction].instruction];
  }

  static pipeline::Options options() {
    const std::filesystem::path project = tests::source_dir();
    pipeline::Options options;
    options.assets = project / "assets";
    options.fetched = project / ".cache/third_party";
    options.cache = project / ".cache/ptx";
    options.kernels = project / "kernels";
    options.threads = 1;
    return options;
  }
  Session session_{options()};
};

TEST_F(HistoryTest, opens_at_the_selected_access) {
  ASSERT_NE(now()->history.recorded, nullptr);
  EXPECT_FALSE(now()->history.recorded->is_cut);
  EXPECT_TRUE(shown(*now()).ptx_text.starts_with("ld.global")) << shown(*now()).ptx_text;
}

TEST_F(HistoryTest, a_step_to_another_access_selects_its_instruction) {
  const uint32_t before = now()->history.instruction;
  const auto moved = after(Step{Step::To::Next});
  EXPECT_EQ(moved->selection.access, 1u);
  EXPECT_GT(moved->history.instruction, before);
  EXPECT_EQ(shown(*moved).ptx_text,
            moved->run->trace->sites[moved->selection.current->traced.access.site.value].ptx_text);
}

TEST_F(HistoryTest, an_instruction_that_accesses_memory_selects_its_access) {
  after(Step{Step::To::Last});
  const uint32_t last = now()->selection.access;
  after(StepInstruction{Step::To::First});
  EXPECT_EQ(now()->history.instruction, 0u);
  EXPECT_EQ(now()->selection.access, last);  // it makes none
  uint32_t steps = 0;
  while (!shown(*now()).ptx_text.starts_with("ld.global") && ++steps < 200)
    after(StepInstruction{Step::To::Next});
  EXPECT_EQ(now()->selection.access, 0u);
}

TEST_F(HistoryTest, changed_registers_come_first_with_their_previous_values) {
  after(StepInstruction{Step::To::First});
  for (uint32_t n = 0; n < 30; ++n) {
    const auto snapshot = after(StepInstruction{Step::To::Next});
    const trace::History::Entry& entry = snapshot->history.recorded->entries[snapshot->history.instruction];
    const auto& rows = *snapshot->history.registers;
    const auto changed = static_cast<uint32_t>(
        std::ranges::count_if(rows, [](const RegisterRow& row) { return row.changed.any(); }));
    EXPECT_EQ(changed, entry.end_change - entry.first_change);
    for (uint32_t row = 0; row < changed; ++row) EXPECT_TRUE(rows[row].changed.any());
  }
}

TEST_F(HistoryTest, a_step_back_restores_the_registers) {
  after(SelectInstruction{20});
  const auto there = now();
  after(StepInstruction{Step::To::Next});
  const auto back = after(StepInstruction{Step::To::Previous});
  EXPECT_EQ(back->history.instruction, 20u);
  ASSERT_EQ(back->history.registers->size(), there->history.registers->size());
  for (size_t n = 0; n < back->history.registers->size(); ++n) {
    EXPECT_EQ((*back->history.registers)[n].name, (*there->history.registers)[n].name);
    EXPECT_EQ((*back->history.registers)[n].after, (*there->history.registers)[n].after);
  }
}

TEST_F(HistoryTest, another_warp_or_run_has_another_history) {
  EXPECT_EQ(after(SelectWarp{WarpId{1}})->history.recorded, nullptr);
  EXPECT_EQ(after(ShowHistory{})->history.recorded->warp, WarpId{1});
  EXPECT_EQ(after(SetToggle{"kernel", "naive"})->history.recorded, nullptr);
  EXPECT_EQ(now()->history.registers, nullptr);
}

}  // namespace
}  // namespace lanescope::session
