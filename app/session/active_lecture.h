// The lecture that is given: opened, gone through step by step, closed. Method: a step is a set of choices
// and a selection, which are restored as a whole, so that each step shows the same wherever the teacher came
// from. The sentences take their numbers from the first run that has the step's settings; what the teacher
// changes after that leaves them as they are. Tests: tests/unit/session/active_lecture_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/errors.h"
#include "session/session_choices.h"
#include "session/snapshot.h"

#include <concepts>
#include <cstdint>
#include <utility>

namespace lanescope::session {

/// The commands to a lecture.
template <class Type>
concept OfLecture = std::same_as<Type, OpenLecture> || std::same_as<Type, ShowLectureStep>;

class ActiveLecture {
 public:
  explicit ActiveLecture(const pipeline::Options& options) : options_(options) {}

  /// What shows the lecture's first step. Errors: those of find_lecture(), and of a device that there is not.
  Result<SessionChoices> begin(Snapshot& snapshot, const OpenLecture& command);
  /// What shows another step of the open lecture. Errors: Usage where no lecture is open.
  Result<SessionChoices> begin(Snapshot& snapshot, const ShowLectureStep& command);
  void close(Snapshot& snapshot);
  /// Fills in the numbers of the step once the snapshot has its run. A number that the run does not have is a
  /// mistake in the lecture: it becomes the error of the run, if that has none.
  void follow(Snapshot& snapshot, Errors& errors);

 private:
  Result<SessionChoices> show(Snapshot& snapshot, LectureState state);

  const pipeline::Options& options_;
  uint64_t showings_ = 0;
  std::pair<uint64_t, uint64_t> tried_;  // run and times that follow() looked at last
};

}  // namespace lanescope::session
