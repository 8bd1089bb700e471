#include "session/session.h"

#include "session/recording_list.h"
#include "session/study_state.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "trace/history.h"
#include "trace/traffic.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class SessionTest : public testing::Test {
 protected:
  /// Posts, waits, and gives what is shown then.
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }

  /// The same, with others that come once the work of the first is under way.
  std::shared_ptr<const Snapshot> after_interrupted(const Command& command,
                                                    const std::vector<Command>& interrupting) {
    bool posted = false;
    session_.on_change([&] {
      if (posted || !session_.latest()->busy) return;
      posted = true;
      for (const Command& next : interrupting) session_.post(next);
    });
    auto now = after(command);
    session_.on_change({});
    EXPECT_TRUE(posted);
    return now;
  }

  Session session_{tests::project_options(1)};
};

TEST_F(SessionTest, the_first_snapshot_lists_lessons_and_devices_and_has_no_run) {
  const auto now = session_.latest();
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(now->run, nullptr);
  EXPECT_FALSE(now->error) << now->error->message;
  EXPECT_FALSE(now->available.lessons.empty());
  EXPECT_EQ(now->choices.device.name, "gt200");
}

TEST_F(SessionTest, a_history_is_not_recorded_where_what_was_opened_after_it_failed) {
  const tests::TemporaryFolder folder("session");
  std::ofstream(folder / "bad.cu") << "__global__ void bad() { oops }\n";
  after(OpenLesson{"transpose"});
  // The run keeps the worker busy until both have come.
  session_.post(SetToggle{"padding", "1"});
  session_.post(ShowHistory{});
  const auto now = after(OpenFile{folder / "bad.cu"});
  EXPECT_EQ(now->run, nullptr);
  EXPECT_EQ(now->history.recorded, nullptr);
  ASSERT_TRUE(now->error);
  // Of the file alone: no history of a launch that does not exist was tried.
  EXPECT_EQ(now->error->kind, ErrorKind::Compile) << describe(*now->error);
  EXPECT_FALSE(now->busy);
}

TEST_F(SessionTest, opening_a_lesson_runs_its_kernel) {
  const auto now = after(OpenLesson{"transpose"});
  ASSERT_FALSE(now->error) << now->error->message;
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
  EXPECT_EQ(now->run->output_correct, true);
  EXPECT_EQ(now->run->trace->dropped, 0u);
  ASSERT_NE(now->run->partitions, nullptr);
  // Four loads and four stores of each kind: a warp moves four rows of its tile in and four out.
  EXPECT_EQ(now->selection.timeline.size(), 16u);
  EXPECT_FALSE(now->busy);
}

TEST_F(SessionTest, the_checks_can_be_switched_and_find_nothing_in_a_lesson) {
  const auto checked = after(OpenLesson{"transpose"});
  EXPECT_EQ(checked->choices.checks, emulator::Checks::All);
  const auto now = after(SetChecks{emulator::Checks::None});
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_EQ(now->choices.checks, emulator::Checks::None);
  EXPECT_GT(now->run_generation, checked->run_generation);
}

TEST_F(SessionTest, the_scheduling_of_lanes_can_be_chosen) {
  const auto before = after(OpenLesson{"transpose"});
  EXPECT_EQ(before->choices.scheduling, emulator::Scheduling::Independent);
  const auto now = after(SetScheduling{emulator::Scheduling::Lockstep});
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_EQ(now->choices.scheduling, emulator::Scheduling::Lockstep);
  EXPECT_GT(now->run_generation, before->run_generation);
  EXPECT_EQ(now->run->output_correct, true);
}

TEST_F(SessionTest, totals_can_count_the_machine_code) {
  after(OpenLesson{"matrix_product"});
  after(SetToggle{"kernel", "shared_tile"});
  const auto loads = [](const Snapshot& snapshot) {
    return trace::total_of(*snapshot.run->trace, trace::Space::Shared, trace::Traffic::Load).requests;
  };
  const auto before = session_.latest();
  const auto now = after(SetLevel{trace::CountLevel::MachineCode});
  if (now->error && now->error->kind == ErrorKind::File) {
    // There is no compiler: the counts stay those of the PTX, with the reason.
    EXPECT_EQ(now->choices.level, trace::CountLevel::Ptx);
    EXPECT_EQ(now->run->machine, nullptr);
    return;
  }
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_EQ(now->run->trace->level, trace::CountLevel::MachineCode);
  ASSERT_NE(now->run->machine, nullptr);
  // Four loads of 4 bytes along a row of the tile are one of 16, those along a column stay.
  EXPECT_LT(loads(*now), loads(*before));
  EXPECT_EQ(pipeline::ptx_totals_of(*now->run), before->run->trace->totals);
  const auto back = after(SetLevel{trace::CountLevel::Ptx});
  EXPECT_EQ(loads(*back), loads(*before));
  EXPECT_EQ(back->run->machine, nullptr);
}

TEST_F(SessionTest, flipping_padding_reruns_the_kernel) {
  after(OpenLesson{"transpose"});
  const auto column = [](const Snapshot& snapshot) {
    return trace::total_of(*snapshot.run->trace, trace::Space::Shared, trace::Traffic::Load).wavefronts;
  };
  const auto before = session_.latest();
  EXPECT_EQ(column(*before), 32768u * 32);
  const auto now = after(SetToggle{"padding", "1"});
  EXPECT_EQ(column(*now), 32768u);
  EXPECT_GT(now->run_generation, before->run_generation);
  EXPECT_EQ(now->run->output_correct, true);
}

TEST_F(SessionTest, a_wrong_toggle_keeps_the_run_and_reports_why) {
  const auto before = after(OpenLesson{"transpose"});
  const auto now = after(SetToggle{"padding", "many"});
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->run, before->run);
  EXPECT_FALSE(after(SetToggle{"padding", "2"})->error);
}

TEST_F(SessionTest, stepping_walks_the_accesses_and_shows_banks_or_sectors) {
  auto now = after(OpenLesson{"transpose"});
  EXPECT_EQ(now->selection.access, 0u);
  EXPECT_TRUE(now->selection.current->sectors);
  EXPECT_FALSE(now->selection.current->banks);
  now = after(Step{Step::To::Next});
  EXPECT_EQ(now->selection.access, 1u);
  EXPECT_TRUE(now->selection.current->banks);
  EXPECT_EQ(now->selection.current->banks->wavefronts, 2) << "a pass for each half-warp of a GT200";
  EXPECT_EQ(now->selection.units, model::CostUnits::Transactions);
  now = after(SetDevice{"h200"});
  EXPECT_EQ(now->selection.current->banks->wavefronts, 1);
  EXPECT_EQ(now->selection.units, model::CostUnits::Sectors);
  now = after(Step{Step::To::Last});
  EXPECT_EQ(now->selection.access, 15u);
  now = after(Step{Step::To::Previous});
  ASSERT_TRUE(now->selection.current->banks);
  EXPECT_EQ(now->selection.current->banks->wavefronts, 32);
}

TEST_F(SessionTest, lanes_show_thread_address_and_value) {
  auto now = after(OpenLesson{"transpose"});
  now = after(SelectBlock{CtaId{33}});  // second row of blocks, second tile
  now = after(SelectWarp{WarpId{2}});
  ASSERT_EQ(now->selection.lanes.size(), 32u);
  EXPECT_EQ(now->selection.lanes[5].thread, (Dim3{5, 2, 0}));
  EXPECT_EQ(now->selection.lanes[5].address, "in[34][37]");
  EXPECT_EQ(now->selection.lanes[5].value, std::to_string(34 * 1024 + 37));
  EXPECT_TRUE(now->selection.lanes[5].active);
}

TEST_F(SessionTest, another_device_reruns_no_kernel) {
  const auto before = after(OpenLesson{"transpose"});
  const auto now = after(SetDevice{"h200"});
  EXPECT_EQ(now->run->trace, before->run->trace);
  EXPECT_EQ(now->run->partitions, nullptr);
  EXPECT_FALSE(now->run->partitions_reason.empty());
}

TEST_F(SessionTest, ten_toggles_at_once_end_in_the_last) {
  after(OpenLesson{"transpose"});
  for (int round = 0; round < 10; ++round) session_.post(SetToggle{"padding", std::to_string(round % 5)});
  session_.post(SetToggle{"order", "diagonal"});
  session_.wait_until_idle();
  const auto now = session_.latest();
  EXPECT_EQ(now->choices.settings.values.at("padding"), "4");
  EXPECT_EQ(now->choices.settings.values.at("order"), "diagonal");
  EXPECT_EQ(now->run->defines[3], "SWIZZLE=0");
  EXPECT_EQ(now->run->defines[2], "PADDING=4");
  EXPECT_EQ(now->run->output_correct, true);
}

TEST_F(SessionTest, a_run_and_a_command_without_one_are_both_done) {
  const auto opened = after_interrupted(OpenLesson{"transpose"}, {SetDevice{"h200"}});
  ASSERT_TRUE(opened->run);
  EXPECT_FALSE(opened->busy);
  EXPECT_EQ(opened->choices.device.name, "h200");
  EXPECT_EQ(opened->run->partitions, nullptr) << "the run is the new device's";
  const auto flipped = after_interrupted(SetToggle{"padding", "3"}, {CancelStudy{}});
  EXPECT_EQ(flipped->run->defines[2], "PADDING=3");
}

TEST_F(SessionTest, a_command_that_fails_does_not_cancel_the_run_that_it_preempted) {
  after(OpenLesson{"transpose"});
  const auto now = after_interrupted(SetToggle{"padding", "3"}, {SetToggle{"no_such_toggle", "1"}});
  ASSERT_TRUE(now->error);
  EXPECT_NE(now->error->message.find("no_such_toggle"), std::string::npos) << now->error->message;
  EXPECT_EQ(now->choices.settings.values.at("padding"), "3");
  EXPECT_EQ(now->run->defines[2], "PADDING=3");
}

TEST_F(SessionTest, a_command_that_fails_does_not_cancel_the_history_that_it_preempted) {
  after(OpenLesson{"transpose"});
  const auto now = after_interrupted(ShowHistory{}, {SetToggle{"no_such_toggle", "1"}});
  EXPECT_TRUE(now->error);
  EXPECT_NE(now->history.recorded, nullptr);
  EXPECT_FALSE(now->busy);
}

TEST_F(SessionTest, studies_do_not_preempt_a_history) {
  after(OpenLesson{"transpose"});
  const auto now =
      after_interrupted(ShowHistory{}, {ShowStudy{{.study = study::Study::Device}}, CancelStudy{}});
  EXPECT_NE(now->history.recorded, nullptr);
}

TEST_F(SessionTest, commands_in_quick_succession_end_as_if_each_had_waited_for_the_previous) {
  auto now = after_interrupted(OpenLesson{"transpose"}, {SetDevice{"c1060"}, SelectBlock{CtaId{33}},
                                                         SelectWave{3}, ShowHistory{}, StepInstruction{}});
  EXPECT_EQ(now->choices.device.name, "c1060");
  EXPECT_EQ(now->selection.cta, CtaId{33});
  EXPECT_EQ(now->wave, 3u);
  ASSERT_NE(now->history.recorded, nullptr);
  EXPECT_EQ(now->history.recorded->cta, CtaId{33});
  const uint32_t instruction = now->history.instruction;
  after(StepInstruction{Step::To::Previous});
  EXPECT_LT(session_.latest()->history.instruction, instruction);
}

TEST_F(SessionTest, a_block_is_selected_in_the_run_that_was_requested_before_it) {
  after(OpenLesson{"transpose"});
  // Only the larger matrix has a block 3000; the toggle after it must not skip that run.
  const auto now =
      after_interrupted(SetToggle{"padding", "1"},
                        {SetToggle{"size", "2048"}, SelectBlock{CtaId{3000}}, SetToggle{"padding", "2"}});
  EXPECT_EQ(now->selection.cta, CtaId{3000});
  EXPECT_EQ(now->selection.current->traced.access.cta, CtaId{3000});
  EXPECT_EQ(now->run->defines[2], "PADDING=2");
}

TEST_F(SessionTest, toggles_without_a_command_between_them_are_one_run) {
  const auto before = after(OpenLesson{"transpose"});
  const auto now = after_interrupted(SetToggle{"padding", "1"},
                                     {SetToggle{"padding", "2"}, SetToggle{"order", "diagonal"}});
  EXPECT_EQ(now->run_generation, before->run_generation + 1);
  EXPECT_EQ(now->run->defines[2], "PADDING=2");
  EXPECT_EQ(now->run->defines[0], "DIAGONAL=1");
}

TEST_F(SessionTest, removing_the_listener_waits_for_its_last_call) {
  std::mutex mutex;
  std::condition_variable begun;
  bool under_way = false;
  std::atomic<bool> taken_away = false;
  std::atomic<bool> was_early = false;
  session_.on_change([&] {
    {
      const std::lock_guard lock(mutex);
      if (under_way) return;
      under_way = true;
    }
    begun.notify_one();
    for (int pause = 0; pause < 1000; ++pause) std::this_thread::yield();
    was_early = taken_away.load();
  });
  session_.post(SetLanguage{Language::French});
  {
    std::unique_lock lock(mutex);
    begun.wait(lock, [&] { return under_way; });
  }
  session_.on_change({});
  taken_away = true;
  session_.wait_until_idle();
  EXPECT_FALSE(was_early);
}

/// A session with a copy of the kernels, some of which are missing.
class SessionWithoutSomeKernel : public testing::Test {
 protected:
  SessionWithoutSomeKernel() {
    std::string name = (std::filesystem::temp_directory_path() / "lanescope-kernels-XXXXXX").string();
    kernels_ = mkdtemp(name.data());
    std::filesystem::copy(tests::kProject / "kernels", kernels_, std::filesystem::copy_options::recursive);
    pipeline::Options options = tests::project_options(1);
    options.kernels = kernels_;
    session_ = std::make_unique<Session>(options);
    after(OpenLesson{"transpose"});
  }
  ~SessionWithoutSomeKernel() override {
    std::error_code ignored;
    std::filesystem::remove_all(kernels_, ignored);
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }
  static std::string error_of(const Snapshot& now) { return now.error ? describe(*now.error) : ""; }

  std::filesystem::path kernels_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionWithoutSomeKernel, the_error_of_a_run_stays_until_a_run_succeeds) {
  const auto naive = kernels_ / "transpose_naive.cu";
  std::filesystem::remove(naive);
  const auto failed = after(SetToggle{"kernel", "naive"});
  const std::string error = error_of(*failed);
  EXPECT_NE(error.find("transpose_naive.cu"), std::string::npos) << error;
  EXPECT_EQ(failed->run->kernel, "transpose_tiled") << "the run before stays visible";

  EXPECT_EQ(error_of(*after(Step{})), error);
  EXPECT_EQ(error_of(*after(ShowHistory{})), error);
  const auto wrong = after(SetToggle{"padding", "many"});
  EXPECT_NE(error_of(*wrong).find("many"), std::string::npos) << error_of(*wrong);
  EXPECT_EQ(error_of(*after(Step{})), error) << "the wrong toggle is over, the run is still missing";
  EXPECT_EQ(error_of(*after(SetToggle{"kernel", "naive"})), error);

  std::filesystem::copy_file(tests::kProject / "kernels/transpose_naive.cu", naive);
  const auto ran = after(SetToggle{"kernel", "naive"});
  EXPECT_EQ(error_of(*ran), "");
  EXPECT_EQ(ran->run->kernel, "transpose_naive");
}

TEST_F(SessionWithoutSomeKernel, a_block_whose_run_fails_is_not_shown) {
  std::filesystem::remove(kernels_ / "transpose_tiled.cu");
  const auto now = after(SelectBlock{CtaId{33}});
  EXPECT_TRUE(now->error);
  EXPECT_EQ(now->selection.cta, CtaId{0});
  EXPECT_EQ(now->selection.current->traced.access.cta, CtaId{0});
}

TEST_F(SessionWithoutSomeKernel, a_lesson_whose_run_fails_keeps_the_selection_of_the_previous_run) {
  after(SelectBlock{CtaId{33}});
  std::filesystem::remove(kernels_ / "transpose_tiled.cu");
  const auto now = after(OpenLesson{"transpose"});
  EXPECT_TRUE(now->error);
  EXPECT_EQ(now->selection.cta, now->selection.current->traced.access.cta);
}

TEST_F(SessionTest, ending_during_a_run_does_not_hang) {
  session_.post(OpenLesson{"transpose"});
  session_.post(SetToggle{"size", "2048"});
}

}  // namespace
}  // namespace lanescope::session
