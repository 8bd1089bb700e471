// Which command replaces, overtakes, waits for and interrupts which.

#include "session/command_queue.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

CommandQueue queue_of(const std::vector<Command>& commands) {
  CommandQueue queue;
  for (const Command& command : commands) queue.push(command);
  return queue;
}

/// The toggles' values, 'B' for a selected block, '>' for a step, 'M' for measuring, '.' for others.
std::string order_of(CommandQueue queue) {
  std::string order;
  while (!queue.empty()) {
    const Command command = queue.pop();
    if (const auto* toggle = std::get_if<SetToggle>(&command))
      order += toggle->value;
    else if (std::holds_alternative<SelectBlock>(command))
      order += 'B';
    else if (std::holds_alternative<Step>(command))
      order += '>';
    else if (std::holds_alternative<MeasureKernels>(command))
      order += 'M';
    else
      order += '.';
  }
  return order;
}

TEST(CommandQueue, a_command_replaces_a_queued_one_of_its_tag) {
  EXPECT_EQ(order_of(queue_of({SetToggle{"padding", "1"}, SetToggle{"padding", "2"}})), "2");
  EXPECT_EQ(
      order_of(queue_of({SetToggle{"padding", "1"}, SetToggle{"swizzle", "x"}, SetToggle{"padding", "2"}})),
      "x2");
  EXPECT_EQ(order_of(queue_of({SelectBlock{}, SelectBlock{}})), "B");
}

TEST(CommandQueue, every_step_counts) { EXPECT_EQ(order_of(queue_of({Step{}, Step{}, Step{}})), ">>>"); }

TEST(CommandQueue, a_run_that_a_queued_command_needs_is_not_replaced) {
  const SetToggle first{"padding", "1"}, second{"padding", "2"}, third{"padding", "3"};
  EXPECT_EQ(order_of(queue_of({first, SelectBlock{}, second})), "1B2");
  EXPECT_EQ(order_of(queue_of({first, SelectBlock{}, second, third})), "1B3");
  EXPECT_EQ(order_of(queue_of({first, SetLanguage{}, second})), ".2");
}

TEST(CommandQueue, stopping_removes_a_queued_measurement) {
  EXPECT_EQ(order_of(queue_of({MeasureKernels{}, Step{}, StopMeasuring{}})), ">.");
}

TEST(CommandQueue, the_choice_of_the_emulator_overtakes_commands_that_may_wait_for_a_gpu) {
  EXPECT_EQ(order_of(queue_of({Step{}, SetProducer{pipeline::Producer::Emulator}})), ".>");
  EXPECT_EQ(order_of(queue_of({Step{}, SetProducer{pipeline::Producer::Gpu}})), ">.");
  EXPECT_EQ(order_of(queue_of(
                {SetProducer{pipeline::Producer::Gpu}, Step{}, SetProducer{pipeline::Producer::Emulator}})),
            ".>");
}

TEST(CommandQueue, a_run_is_preempted_by_another_unless_a_command_needs_it) {
  const SetToggle toggle{"padding", "1"};
  const SetProducer emulator{pipeline::Producer::Emulator};
  for (const Work work : {Work::Run, Work::History}) {
    EXPECT_TRUE(is_preempted(work, toggle, {}));
    EXPECT_TRUE(is_preempted(work, toggle, queue_of({SetDevice{"h200"}})));
    EXPECT_FALSE(is_preempted(work, toggle, queue_of({Step{}})));
    EXPECT_TRUE(is_preempted(work, emulator, queue_of({Step{}}))) << "that run may never end";
    EXPECT_FALSE(is_preempted(work, SetDevice{"h200"}, {}));
    EXPECT_FALSE(is_preempted(work, ShowStudy{}, {}));
  }
}

TEST(CommandQueue, measuring_is_preempted_by_runs_and_by_its_end) {
  EXPECT_TRUE(is_preempted(Work::Measuring, SetToggle{"padding", "1"}, queue_of({Step{}})));
  EXPECT_TRUE(is_preempted(Work::Measuring, StopMeasuring{}, {}));
  EXPECT_FALSE(is_preempted(Work::Measuring, SetDevice{"h200"}, {}));
  EXPECT_FALSE(is_preempted(Work::Measuring, ShowStudy{}, {}));
  EXPECT_FALSE(is_preempted(Work::Measuring, MeasureKernels{}, {}));
}

TEST(CommandQueue, a_check_is_preempted_by_runs_and_by_what_is_about_the_submission) {
  for (const Command& command : std::vector<Command>{SetToggle{"padding", "1"}, OpenExercise{"tiled"},
                                                     StartExercise{}, CheckSubmission{}, StopChecking{}})
    EXPECT_TRUE(is_preempted(Work::Checking, command, {}));
  EXPECT_FALSE(is_preempted(Work::Checking, Step{}, {}));
  EXPECT_FALSE(is_preempted(Work::Checking, WatchSubmission{}, {}));
}

TEST(CommandQueue, precompilation_is_preempted_by_every_command) {
  EXPECT_TRUE(is_preempted(Work::Precompile, SetLanguage{}, {}));
  EXPECT_FALSE(is_preempted(Work::Study, SetLanguage{}, {}));
  EXPECT_TRUE(is_preempted(Work::Study, CancelStudy{}, {}));
}

TEST(CommandQueue, a_gpu_is_abandoned_for_the_emulator_and_at_the_end_of_measuring) {
  EXPECT_TRUE(abandons_gpu(Work::Run, SetProducer{pipeline::Producer::Emulator}));
  EXPECT_FALSE(abandons_gpu(Work::None, SetProducer{pipeline::Producer::Emulator}));
  EXPECT_FALSE(abandons_gpu(Work::Precompile, SetProducer{pipeline::Producer::Emulator}));
  EXPECT_FALSE(abandons_gpu(Work::Run, SetProducer{pipeline::Producer::Gpu}));
  EXPECT_TRUE(abandons_gpu(Work::Measuring, StopMeasuring{}));
  EXPECT_FALSE(abandons_gpu(Work::Run, StopMeasuring{})) << "the run continues";
}

TEST(CommandQueue, a_program_ends_for_what_leads_elsewhere_alone) {
  for (const Command& command : {Command{CancelProgram{}}, Command{OpenFile{}}, Command{OpenLesson{}},
                                 Command{SetText{}}, Command{Undo{}}, Command{Restore{}}})
    EXPECT_TRUE(is_preempted(Work::Program, command, {})) << command.index();
  for (const Command& command : {Command{Step{}}, Command{SetDevice{}}, Command{Reload{}},
                                 Command{RunProgram{}}, Command{CancelRun{}}})
    EXPECT_FALSE(is_preempted(Work::Program, command, {})) << command.index();
}

TEST(CommandQueue, a_program_takes_the_place_of_a_run_that_no_command_needs) {
  EXPECT_TRUE(is_preempted(Work::Run, RunProgram{}, {}));
  EXPECT_TRUE(is_preempted(Work::Run, AnswerProgram{AnswerProgram::Answer::Run}, {}));
  EXPECT_FALSE(is_preempted(Work::Run, AnswerProgram{AnswerProgram::Answer::KernelsOnly}, {}));
  EXPECT_FALSE(is_preempted(Work::Run, RunProgram{}, queue_of({SelectBlock{}})));
}

}  // namespace
}  // namespace lanescope::session
