// What the window shows: an immutable picture of one run and of the warp and access selected in it. Made by
// the session's worker, read by the views, which compute nothing. Large parts are shared between snapshots.
// Parts that only some panels read are declared here and defined in separate headers.
// Tests: tests/unit/session/session_test.cpp

#pragma once

#include "base/error.h"
#include "base/lane_mask.h"
#include "base/text.h"
#include "emulator/options.h"
#include "lesson/lesson.h"
#include "model/device.h"
#include "pipeline/options.h"
#include "pipeline/producer.h"
#include "pipeline/run.h"
#include "pipeline/selection.h"
#include "session/run_progress.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::model {
struct BlockCosts;
struct BlockTimeline;
struct ElementMap;
struct ValueMap;
}  // namespace lanescope::model
namespace lanescope::plot {
struct Bandwidth;
}
namespace lanescope::pipeline {
struct LessonProse;
struct ProgramRun;
}  // namespace lanescope::pipeline
namespace lanescope::trace {
struct History;
}

namespace lanescope::session {

struct ExerciseState;    // session/exercise_state.h
struct LectureState;     // session/lecture_state.h
struct FailedRun;        // session/failed_run.h
struct OpenedFile;       // session/opened_file.h
struct OpenedSession;    // session/session_file.h
struct RegisterRow;      // session/register_row.h
struct RecordingList;    // session/recording_list.h
struct SourceTexts;      // session/source_texts.h
struct StudentProgress;  // session/student_progress.h
struct StudyState;       // session/study_state.h
struct WholeProgram;     // session/whole_program.h

/// What the user chose: how kernels run from now on, and how runs are shown.
struct Choices {
  std::shared_ptr<const lesson::Lesson> lesson;  // null before the first lesson and for a file of the user's
  lesson::Settings settings;                     // of the lesson's toggles
  std::shared_ptr<const OpenedFile> file;        // null while a lesson is open
  uint32_t launch = 0;                           // of the file, the one that is shown, from 0
  std::string exercise;  // whose lesson this is, "transpose/tiled"; empty: no exercise
  std::shared_ptr<const pipeline::EditedFiles> edited;  // texts in place of files; null: none
  Language language = Language::English;
  emulator::Checks checks = emulator::Checks::All;
  emulator::Scheduling scheduling = emulator::Scheduling::Independent;
  pipeline::Producer producer = pipeline::Producer::Emulator;
  trace::CountLevel level = trace::CountLevel::Ptx;  // of the totals, where the emulator runs the kernel
  /// Whether the caches are modelled, where the device has rules and the emulator runs the kernel.
  bool with_caches = false;
  model::Device device;  // of the partition map
};

/// Whether a person or the text of the lesson asks for the modelled caches.
inline bool asks_for_caches(const Choices& choices) {
  return choices.with_caches || (choices.lesson && choices.lesson->caches);
}

/// What there is to choose from.
struct Available {
  std::vector<std::string> lessons;
  std::vector<lesson::Words> lesson_titles;  // [lesson]
  /// How much there is to do.
  struct LessonSize {
    size_t kernels = 0, exercises = 0;
  };
  std::vector<LessonSize> lesson_sizes;  // [lesson]
  std::vector<std::string> lectures;
  std::vector<lesson::Words> lecture_titles;  // [lecture]
  /// A device to choose. In the order of their compute capability, which is that of their years.
  struct DeviceName {
    std::string name;   // what SetDevice takes: a name, or the path of the user's own file
    std::string title;  // "GeForce GTX 280 (GT200)"
    int compute_capability = 0;
    bool has_partition_map = false;
  };
  std::vector<DeviceName> devices;
  bool has_gpu = false;  // that can run the kernel and be measured
};

/// How far measuring is.
struct MeasureProgress {
  size_t done = 0;
  size_t total = 0;
};

/// Times of the lesson's kernels on a GPU.
struct Timings {
  std::shared_ptr<const plot::Bandwidth>
      bandwidth;                                    // measured, recorded or modelled; null: none of this size
  uint64_t generation = 0;                          // rises with every change of bandwidth
  std::shared_ptr<const RecordingList> recordings;  // null before the first run
  std::optional<MeasureProgress> measuring;
  std::optional<MeasureProgress> modelling;  // while the chosen device's bandwidths are being modelled
};

/// The instructions that the selected warp executed, if requested by ShowHistory.
struct WarpHistory {
  std::shared_ptr<const trace::History> recorded;             // null: not requested
  uint32_t instruction = 0;                                   // the selected one: index in its entries
  std::shared_ptr<const std::vector<RegisterRow>> registers;  // of its function, those it changed first
};

/// What is shown of a run. A, which is compared with the present run, is one as a whole: a field that is
/// added here is kept, exchanged and shown for both.
struct ShownRun {
  Choices choices;
  std::shared_ptr<const pipeline::Run> run;                // null: nothing ran yet, or it failed: see error
  std::vector<std::shared_ptr<const pipeline::Run>> runs;  // [launch], as far as they ran; `run` is of them
  std::shared_ptr<const SourceTexts> sources;  // of what is chosen, also where it did not run; null: none yet
  pipeline::Selection selection;               // in the run; meaningful while run is set
  uint32_t wave = 0;                           // of blocks in flight
  uint32_t waves = 0;                          // of the run on the device
  Timings timings;
};

struct Snapshot : ShownRun {
  uint64_t generation = 0;  // rises with every snapshot
  Available available;
  uint64_t openings = 0;  // of another lesson or file: it begins with settings and panels of its own

  std::shared_ptr<const RunProgress> progress;  // of the run that is under way while busy; never null
  std::optional<MeasureProgress> reading;       // blocks of a large saved trace, for what needs all of them
  std::optional<LongRun> question;              // the run is not made before ConfirmRun
  std::shared_ptr<const FailedRun> failed;  // what is chosen did not run; `run` is of what was chosen before
  /// Texts on the disk that a person's edits, not saved, were made from; null: nothing was edited.
  std::shared_ptr<const pipeline::EditedFiles> edits_made_from;
  uint64_t run_generation = 0;  // rises with every run: what depends on the run alone is cached by it
  std::shared_ptr<const model::ElementMap> elements;  // if requested by ShowElements

  std::shared_ptr<const std::vector<model::ValueMap>> values;  // if requested by ShowValues
  std::shared_ptr<const model::BlockTimeline> warps;           // if requested by ShowWarps; null: not stored
  std::shared_ptr<const model::BlockCosts> block_costs;        // if requested by ShowBlockCosts
  uint64_t views_of = 0;  // run_generation of the run that elements to block_costs are of
  std::shared_ptr<const pipeline::LessonProse> prose;        // of the lesson, with the run's numbers
  std::shared_ptr<const pipeline::LessonProse> blank_prose;  // the same without them

  WarpHistory history;
  std::shared_ptr<const StudyState> study;        // if requested by ShowStudy
  std::shared_ptr<const ExerciseState> exercise;  // of the lesson that was opened last; null before the first
  std::shared_ptr<const StudentProgress> student;  // what a student has done; null before the first

  /// A, which the present run, B, is compared with: as it was pinned, at the place that corresponds to the
  /// selection. Null while nothing is pinned. Its own `pinned` is null.
  std::shared_ptr<const Snapshot> pinned;
  bool has_same_sites = false;  // as A: a site of one is the same instruction of the other

  std::shared_ptr<const Choices> undo, redo;  // what the commands lead to; null: nothing to take back
  /// The program whose launches `lanescope run` kept, where what is open is one of them; else null.
  std::shared_ptr<const pipeline::ProgramRun> program;
  /// The source with `main` that is open, or whose launches are; null where it cannot be run as a program.
  std::shared_ptr<const WholeProgram> whole_program;
  std::shared_ptr<const LectureState> lecture;   // that is given; null: none
  std::shared_ptr<const OpenedSession> session;  // the file of a session that was opened last

  std::optional<Error> error;  // of the last command, else of the last run: the run before it stays visible
  bool busy = false;           // a command is being worked on
};

/// Notification text, for example of a finished or failed export.
struct Notice {
  bool is_error = false;
  std::string text;
};

}  // namespace lanescope::session
