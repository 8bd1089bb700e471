// The runs of the lesson's kernel, or of the launches of a person's file, and which of them is shown. Method:
// both are steps (pipeline/sequence.h); a lesson has one. What does not run leaves the runs before it in the
// snapshot, unless they are of another lesson or file. Tests: tests/unit/session/*

#pragma once

#include "pipeline/sequence.h"
#include "session/edited_texts.h"
#include "session/file_watch.h"
#include "session/gpu_handle.h"
#include "session/long_run.h"
#include "session/snapshot.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// How runs are made now; lane values are kept of one block.
pipeline::RunOptions run_options(const Choices& choices, CtaId values_of, std::stop_token stop);

/// What is shown, with the text whose kernel runs in place of the text that ran or failed before.
Snapshot with_attempt(Snapshot shown, const Snapshot& attempted);

/// The run of a program in `folder`: the snapshot's, where that is it and its program has ended, else as it
/// is on disk. Errors: those of read_program_run().
Result<std::shared_ptr<const pipeline::ProgramRun>> known_run(const Snapshot& snapshot,
                                                              const std::filesystem::path& folder);

class CurrentRuns {
 public:
  CurrentRuns(const pipeline::Options& options, pipeline::Execution& execution, GpuHandle& gpu,
              EditedTexts& texts)
      : options_(options), execution_(execution), gpu_(gpu), texts_(texts) {}

  /// Runs what is chosen, and shows the chosen launch. The value is the GPU's error where the emulator ran in
  /// its place. Errors: those of making the steps and of running them; Snapshot::failed then says what
  /// failed.
  /// Cancelled where `watch` does not admit them. `on_compiled` is called when the first kernel begins; until
  /// the runs end, Snapshot::failed has its text.
  Result<std::optional<Error>> run(Snapshot& snapshot, const pipeline::RunOptions& options, RunWatch& watch,
                                   const std::function<void()>& on_compiled);
  /// Chooses again what the runs that are shown were made of, but for texts that were edited since. False:
  /// what is shown is not of these texts, or there is nothing.
  bool take_back(Snapshot& snapshot);
  /// Shows another launch of the file, as far as it ran.
  void show(Snapshot& snapshot, uint32_t launch);
  /// Reads the block of a large saved trace, for the run that is shown, where it is not in memory. The value:
  /// whether the run is another one now. Errors: those of Options::read_trace and pipeline::with_part().
  Result<bool> read_block(ShownRun& shown, CtaId block) const;
  /// The same runs with the partition map of the chosen device.
  void see_device(Snapshot& snapshot);
  /// What the run that is shown carried out; null before the first run, and of a saved trace.
  std::optional<pipeline::Job> job(const Snapshot& snapshot) const;

  /// What the runs in a snapshot were made from.
  struct Made {
    std::vector<pipeline::Step> steps;  // none of a saved trace
    Choices of;                         // with which they were made
  };
  const Made& made() const { return made_; }
  /// The runs in the snapshot are others from now on, which were made before.
  void take(Made made, Snapshot& snapshot);

  /// Whether a file changed that the runs were made from.
  bool has_changed_files() { return watch_.has_change(); }
  /// The files as they are now are no change: the session wrote one.
  void know_files() { watch_.note(); }
  /// Reads the list of launches that the shown one belongs to; none: of other things that are open. Errors:
  /// those of read_program_run().
  Result<void> read_program(Snapshot& snapshot);
  /// The same where it has changed on disk.
  Result<void> read_program_again(Snapshot& snapshot);
  bool has_changed_program() { return program_watch_.has_change(); }
  bool watches_files() const { return !watch_.is_empty(); }

 private:
  Result<std::vector<pipeline::Step>> steps_of(Snapshot& snapshot, RunWatch& watch);
  Result<std::vector<pipeline::Step>> steps_of_opened(Snapshot& snapshot);
  Result<void> read_saved_trace(Snapshot& snapshot, CtaId block);
  void watch(const Choices& choices, const std::vector<pipeline::Step>& steps);
  void fail(Snapshot& snapshot, const Error& error) const;
  void show_sources(Snapshot& snapshot, const pipeline::Job& job);

  const pipeline::Options& options_;
  pipeline::Execution& execution_;
  GpuHandle& gpu_;
  EditedTexts& texts_;
  Made made_;                // of the runs in the snapshot
  pipeline::Job attempted_;  // whose text is being compiled and run
  FileWatch watch_;
  FileWatch program_watch_;  // the list of a program's launches
};

}  // namespace lanescope::session
