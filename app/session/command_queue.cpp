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

/// Commands with the same tag replace each other. A step never does: each one counts.
std::string tag_of(const Command& command) {
  if (is_one_of<Step, StepInstruction>(command)) return {};
  if (const auto* toggle = std::get_if<SetToggle>(&command)) return fmt::format("toggle {}", toggle->name);
  return fmt::format("command {}", command.index());
}

bool chooses_emulator(const Command& command) {
  const auto* producer = std::get_if<SetProducer>(&command);
  return producer != nullptr && producer->producer == pipeline::Producer::Emulator;
}

}  // namespace

bool reruns(const Command& command) {
  return is_one_of<OpenLesson, SetToggle, SetChecks, SetScheduling, SetProducer>(command);
}

bool looks_at_run(const Command& command) {
  return is_one_of<SelectBlock, SelectWarp, SelectAccess, Step, SelectLine, ShowHistory, StepInstruction,
                   SelectInstruction, ShowElements, SelectWave, MeasureKernels, ShowStudy>(command);
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
    // A run that somebody looks at in between is not left out.
    const bool looked_at =
        reruns(command) && !chooses_emulator(command) && std::any_of(commands_.rbegin(), last, looks_at_run);
    if (!looked_at) commands_.erase(std::next(last).base());
  }
  if (chooses_emulator(command))
    commands_.push_front(std::move(command));
  else
    commands_.push_back(std::move(command));
}

bool CommandQueue::has_onlooker() const { return std::ranges::any_of(commands_, looks_at_run); }

bool gives_way(Work work, const Command& command, const CommandQueue& queue) {
  switch (work) {
    case Work::None:
    case Work::Apply:
      return false;
    case Work::Run:
    case Work::History:
      return reruns(command) && (!queue.has_onlooker() || chooses_emulator(command));
    case Work::Measuring:
      return reruns(command) || is_one_of<StopMeasuring>(command);
    case Work::Study:
      // Others wait for it: it is short, and a person who steps would never see its end.
      return reruns(command) || is_one_of<SetDevice, ShowStudy, CancelStudy>(command);
    case Work::Ahead:
      return true;
  }
  return false;
}

bool gives_up_gpu(Work work, const Command& command) {
  if (is_one_of<StopMeasuring>(command)) return work == Work::Measuring;
  const bool may_use_it = work == Work::Apply || work == Work::Run || work == Work::Measuring;
  return chooses_emulator(command) && may_use_it;
}

}  // namespace lanescope::session
