// The exercises of the open lesson: chosen, started, and checked whenever the student saves the file. A check
// that was interrupted stays requested. Tests: tests/unit/session/active_exercise_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "pipeline/options.h"
#include "session/command.h"
#include "session/exercise_state.h"
#include "session/file_watch.h"
#include "session/gpu_handle.h"
#include "session/snapshot.h"

#include <concepts>
#include <filesystem>
#include <functional>
#include <set>
#include <stop_token>
#include <string>

namespace lanescope::session {

/// The commands to an exercise.
template <class Type>
concept OfExercise = std::same_as<Type, OpenExercise> || std::same_as<Type, StartExercise> ||
                     std::same_as<Type, WatchSubmission> || std::same_as<Type, CheckSubmission> ||
                     std::same_as<Type, StopChecking>;

class ActiveExercise {
 public:
  ActiveExercise(const pipeline::Options& options, GpuHandle& gpu) : options_(options), gpu_(gpu) {}

  /// Lists the exercises of the lesson, and chooses the first.
  void list(Snapshot& snapshot);
  /// Chooses one. Errors: Usage for a name that is not listed.
  Result<void> apply(Snapshot& snapshot, const OpenExercise& command);
  /// Writes the starter unless the file exists, and checks the file from now on. Errors are in the state.
  Result<void> apply(Snapshot& snapshot, const StartExercise& command);
  Result<void> apply(Snapshot& snapshot, const WatchSubmission& command);
  Result<void> apply(Snapshot& snapshot, const CheckSubmission& command);
  Result<void> apply(Snapshot& snapshot, const StopChecking& command);
  /// Requests a check of the file, if it is in use.
  void request(Snapshot& snapshot);

  /// Whether the student saved the file. False while it is not in sight: the change is noticed later.
  bool has_changed_file() { return in_sight_ && watch_.has_change(); }

  /// Whether advance() has something to do.
  bool is_under_way() const { return is_requested_; }
  /// Checks the file; `publish` shows the progress. What is wrong with the file is in the state. Errors:
  /// Cancelled, and the check is still requested.
  Result<void> advance(Snapshot& snapshot, pipeline::Execution& execution, const std::stop_token& stop,
                       const std::function<void(const Snapshot&)>& publish);
  void fail(Snapshot& snapshot, const Error& error);

 private:
  Result<void> write_starter(const ExerciseState& state) const;
  void choose(Snapshot& snapshot, ExerciseState state);
  void end(Snapshot& snapshot, ExerciseState state);

  const pipeline::Options& options_;
  GpuHandle& gpu_;
  FileWatch watch_;
  std::set<std::filesystem::path> started_;  // files of exercises that were chosen before
  bool in_sight_ = false;
  bool is_requested_ = false;
};

}  // namespace lanescope::session
