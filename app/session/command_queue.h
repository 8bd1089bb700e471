// The commands that wait for the session's worker, and what they mean to each other and to the work that is
// under way. The rule behind the rules: in the end is shown what would be shown had every command been done
// in full before the next. Only a run that nobody looks at may be left out. Tests:
// tests/unit/session/command_queue_test.cpp

#pragma once

#include "session/command.h"

#include <cstdint>
#include <deque>

namespace lanescope::session {

/// What the worker does at the moment.
enum class Work : uint8_t {
  None,
  Apply,      // what a command says
  Run,        // of the settings
  History,    // of a warp, for ShowHistory
  Measuring,  // for MeasureKernels
  Study,      // one run of it
  Ahead       // compiles what may be asked for next
};

/// The command asks for another run.
bool reruns(const Command& command);
/// The command is about a run, or about the history of a warp: it waits for those that were asked for.
bool looks_at_run(const Command& command);

class CommandQueue {
 public:
  bool empty() const { return commands_.empty(); }
  /// Meaningful unless empty.
  const Command& front() const { return commands_.front(); }
  Command pop();
  /// Behind the others, in place of one of the same tag, so that dragging over ten choices runs one kernel.
  /// StopMeasuring also takes back a MeasureKernels that waits. The choice of the emulator goes before the
  /// others: they may wait for a GPU that never answers.
  void push(Command command);
  /// Whether one that waits looks at a run.
  bool has_onlooker() const;

 private:
  std::deque<Command> commands_;
};

/// Whether `work` stops for the command that was pushed last: what it makes is of no more use, or may wait.
bool gives_way(Work work, const Command& command, const CommandQueue& queue);

/// Whether the GPU is left alone, since it cannot be asked to leave off a kernel. Other commands wait for it:
/// opening it anew takes longer than a kernel.
bool gives_up_gpu(Work work, const Command& command);

}  // namespace lanescope::session
