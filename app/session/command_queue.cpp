#include "session/command_queue.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

template <class... Types>
bool is_one_of(const Command& command) {
  return (std::holds_alternative<Types>(command) || ...);
}

/// Commands with the same tag replace each other. Steps have none: each one counts, as do undoing and
/// swapping. Nor has SetToggles, whose values may be of other toggles.
std::string tag_of(const Command& command) {
  if (is_one_of<Step, StepInstruction, SetToggles, SaveText, ChooseText, TakeTexts, Undo, Redo, SwapPinned>(
          command))
    return {};
  if (const auto* toggle = std::get_if<SetToggle>(&command)) return fmt::format("toggle {}", toggle->name);
  if (const auto* text = std::get_if<SetText>(&command)) return fmt::format("text {}", text->file.string());
  return fmt::format("command {}", command.index());
}

bool chooses_emulator(const Command& command) {
  const auto* producer = std::get_if<SetProducer>(&command);
  return producer != nullptr && producer->producer == pipeline::Producer::Emulator;
}

/// The program takes the place of the run, which stays pending.
bool runs_program(const Command& command) {
  const auto* answer = std::get_if<AnswerProgram>(&command);
  return is_one_of<RunProgram>(command) ||
         (answer != nullptr && answer->answer == AnswerProgram::Answer::Run);
}

}  // namespace

bool reruns(const Command& command) {
  return is_one_of<OpenLesson, OpenFile, SetLaunches, TakeHostLaunches, SetText, ChooseText, TakeTexts,
                   ContinueKept, Reload, SetToggle, SetToggles, SetChecks, SetScheduling, SetLevel,
                   SetProducer, ShowCaches, CompareWithSolution, Undo, Redo, OpenLecture, ShowLectureStep,
                   OpenLink, Restore>(command);
}

bool ends_program(const Command& command) {
  return is_one_of<CancelProgram, OpenLesson, OpenFile, SetText, TakeTexts, ContinueKept, CompareWithSolution,
                   Undo, Redo, OpenLecture, ShowLectureStep, OpenLink, Restore>(command);
}

bool needs_run(const Command& command) {
  return is_one_of<SelectLaunch, SelectBlock, SelectWarp, SelectAccess, Step, SelectLine, ShowHistory,
                   StepInstruction, SelectInstruction, ShowElements, ShowValues, ShowWarps, ShowBlockCosts,
                   SelectWave, MeasureKernels, ShowStudy, Pin, SwapPinned>(command);
}

bool is_of_panel(const Command& command) {
  return is_one_of<ShowElements, ShowValues, ShowWarps, ShowBlockCosts, ShowCaches, ShowStudy,
                   WatchSubmission>(command);
}

Command CommandQueue::pop() {
  Command command = std::move(commands_.front());
  commands_.pop_front();
  return command;
}

void CommandQueue::push(Command command) {
  if (std::holds_alternative<StopMeasuring>(command))
    std::erase_if(commands_, [](const Command& waiting) { return is_one_of<MeasureKernels>(waiting); });
  const std::string tag = tag_of(command);
  const auto last = std::find_if(commands_.rbegin(), commands_.rend(), [&](const Command& waiting) {
    return !tag.empty() && tag_of(waiting) == tag;
  });
  if (last != commands_.rend()) {
    // A run that a command in between needs is not skipped.
    const bool is_needed =
        reruns(command) && !chooses_emulator(command) && std::any_of(commands_.rbegin(), last, needs_run);
    if (!is_needed) commands_.erase(std::next(last).base());
  }
  if (chooses_emulator(command))
    commands_.push_front(std::move(command));
  else
    commands_.push_back(std::move(command));
}

void CommandQueue::push_front(std::vector<Command> commands) {
  commands_.insert(commands_.begin(), std::make_move_iterator(commands.begin()),
                   std::make_move_iterator(commands.end()));
}

bool CommandQueue::has_run_command() const { return std::ranges::any_of(commands_, needs_run); }

bool is_preempted(Work work, const Command& command, const CommandQueue& queue) {
  switch (work) {
    case Work::None:
    case Work::Apply:
    case Work::Reading:  // a part of the file is read fast
      return false;
    case Work::Program:
      return ends_program(command);
    case Work::Run:
    case Work::History:
      return is_one_of<CancelRun>(command) || (runs_program(command) && !queue.has_run_command()) ||
             (reruns(command) && (!queue.has_run_command() || chooses_emulator(command)));
    case Work::Measuring:
      return reruns(command) || is_one_of<StopMeasuring>(command);
    case Work::Study:
      // Other commands wait: a run is short, and a user who steps would never see the study end.
      return reruns(command) || is_one_of<SetDevice, ShowStudy, CancelStudy>(command);
    case Work::Checking:
      // As for a study; a check takes a second at most.
      return reruns(command) ||
             is_one_of<OpenExercise, StartExercise, CheckSubmission, StopChecking>(command);
    case Work::Modelling:
    case Work::Precompile:
      return true;
  }
  return false;
}

bool abandons_gpu(Work work, const Command& command) {
  if (is_one_of<StopMeasuring>(command)) return work == Work::Measuring;
  const bool may_use_it =
      work == Work::Apply || work == Work::Run || work == Work::Measuring || work == Work::Checking;
  return chooses_emulator(command) && may_use_it;
}

}  // namespace lanescope::session
