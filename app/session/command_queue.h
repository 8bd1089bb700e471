// The commands that wait for the session's worker: which replaces, overtakes or preempts which. Invariant:
// the final state equals executing all commands in order; only a run that no command reads may be skipped.
// Tests: tests/unit/session/command_queue_test.cpp

#pragma once

#include "session/command.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace lanescope::session {

/// What the worker is doing.
enum class Work : uint8_t {
  None,
  Apply,      // applies a command
  Program,    // compiles and runs the opened program
  Run,        // runs the current settings
  History,    // records the history of a warp, for ShowHistory
  Measuring,  // for MeasureKernels
  Study,      // carries out some runs of a study
  Checking,   // checks the file of an exercise
  Reading,    // reads a part of a large saved trace
  Modelling,  // models the bandwidth of a lesson's kernels
  Precompile  // compiles settings that may be chosen next
};

/// Whether no one waits for what the worker does.
constexpr bool is_idle(Work work) {
  return work == Work::None || work == Work::Reading || work == Work::Modelling || work == Work::Precompile;
}
/// Whether the command requests another run.
bool reruns(const Command& command);
/// Whether the command is about a run or the history of a warp: it waits for pending ones.
bool needs_run(const Command& command);

/// Whether a panel posts the command by itself when it comes in sight: what was said before stays said.
bool is_of_panel(const Command& command);

/// Whether the command ends a program that is to be run or runs: something else is to be looked at.
bool ends_program(const Command& command);

class CommandQueue {
 public:
  bool empty() const { return commands_.empty(); }
  /// Meaningful unless empty.
  const Command& front() const { return commands_.front(); }
  Command pop();
  /// Appends the command and removes a queued one of the same tag, so that dragging over ten choices runs one
  /// kernel. StopMeasuring also removes a queued MeasureKernels. The choice of the emulator goes to the
  /// front, since the others may wait for a GPU that never replies.
  void push(Command command);
  /// These come next, in their order.
  void push_front(std::vector<Command> commands);
  /// Whether a queued command needs a run.
  bool has_run_command() const;

 private:
  std::deque<Command> commands_;
};

/// Whether the command that was pushed last preempts `work`: its result is no longer needed, or can wait.
bool is_preempted(Work work, const Command& command, const CommandQueue& queue);

/// Whether the command abandons the GPU, which cannot be asked to stop a kernel. Other commands wait for the
/// kernel: opening the GPU again takes longer.
bool abandons_gpu(Work work, const Command& command);

}  // namespace lanescope::session
