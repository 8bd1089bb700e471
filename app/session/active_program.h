// The opened source as the program that it is: the question whether its host code may run, the answer, its
// runs. Method: the answer is for one text: a key of the source and of the headers of the person's that it
// includes, as they are on disk. A run with another text is asked about. What the person saves in the window
// is allowed as the text before it was. Tests: tests/unit/session/active_program_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/options.h"
#include "session/command.h"
#include "session/errors.h"
#include "session/file_watch.h"
#include "session/opened_file.h"
#include "session/pending_work.h"
#include "session/snapshot.h"
#include "session/whole_program.h"

#include <concepts>
#include <filesystem>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace lanescope::session {

/// The commands to a program.
template <class Type>
concept OfProgram =
    std::same_as<Type, AnswerProgram> || std::same_as<Type, RunProgram> || std::same_as<Type, CancelProgram>;

class ActiveProgram {
 public:
  ActiveProgram(const pipeline::Options& options, PendingWork& pending, Errors& errors)
      : options_(options), pending_(pending), errors_(errors) {}

  /// After a file was opened: a source with main is a program, which is asked about, or run where the person
  /// allowed it before.
  void open(Snapshot& snapshot, const OpenFile& command);
  Result<void> apply(Snapshot& snapshot, const AnswerProgram& command);
  /// Errors: Usage where the text is edited and not saved.
  Result<void> apply(Snapshot& snapshot, const RunProgram& command);
  Result<void> apply(Snapshot& snapshot, const CancelProgram& command);
  /// A program that is to be run, or runs, is not any more.
  void cancel(Snapshot& snapshot);
  /// Lets go of the program where something else is open than it and its launches.
  void follow(Snapshot& snapshot);

  /// Whether the text on disk may run.
  bool is_allowed(const Snapshot& snapshot) const;
  /// The person saved the text in the window, and the text before was allowed.
  void allow_saved(const Snapshot& snapshot);
  /// Whether another program changed the source of a program that was allowed to run.
  bool has_changed_source() { return !allowed_.empty() && watch_.has_change(); }

  /// Whether the file has the accesses of a launch of this program.
  bool has_launch(const Snapshot& snapshot, const std::filesystem::path& file) const;
  /// The source, compiled as the person said.
  OpenedFile source_file(const Snapshot& snapshot) const;
  /// The source with this launch. Errors: those of read_program_run() and open_program_launch().
  Result<OpenedFile> open_launch(const Snapshot& snapshot, const std::filesystem::path& launch,
                                 pipeline::Execution& execution) const;

  /// Compiles and runs it. The value is the trace of the launch to look at, whose run is in the snapshot;
  /// none where there is none. Errors: Cancelled; what went wrong else is in Errors::program.
  Result<std::optional<std::filesystem::path>> run(Snapshot& snapshot, const std::stop_token& stop);

 private:
  std::string key_of(const std::filesystem::path& source) const;
  void ask(Snapshot& snapshot, WholeProgram::Question question);
  void request(Snapshot& snapshot);
  void change(Snapshot& snapshot, const auto& how) const;

  const pipeline::Options& options_;
  PendingWork& pending_;
  Errors& errors_;
  std::vector<std::string> include_directories_;
  std::string allowed_;                      // the key of the text that may run; empty: none
  std::string asked_;                        // the key of the text that the question is about
  std::set<std::filesystem::path> folders_;  // of the runs of this program
  FileWatch watch_;                          // its files, while it may run
};

}  // namespace lanescope::session
