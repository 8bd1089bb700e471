// The commands of views and tests to the session. A newer command with the same tag replaces the queued one,
// so that dragging over ten choices runs one kernel. Tests: tests/unit/session/command_queue_test.cpp

#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "base/text.h"
#include "emulator/options.h"
#include "pipeline/launch_file.h"
#include "pipeline/producer.h"
#include "pipeline/selection.h"
#include "pipeline/step_target.h"
#include "study/study_request.h"
#include "trace/site.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope::session {

struct Choices;  // session/snapshot.h

/// What a person made of a file, not saved.
struct EditedText {
  std::filesystem::path file;
  std::string text;
  bool operator==(const EditedText&) const = default;
};

/// Of two runs that are compared: A is the one that was pinned, B the present one.
enum class Side : uint8_t { A, B };

struct OpenLesson {
  std::string name;
};
/// A source, PTX or a launch file of the user's, a saved trace or session, or the folder of a lesson.
struct OpenFile {
  std::filesystem::path path;
  std::vector<std::string> include_directories = {};  // besides those that are kept with its launches
  std::vector<std::string> arguments = {};            // of the program that the source is
};
/// Says whether the opened program may run (Snapshot::whole_program), for this file and from now on.
struct AnswerProgram {
  enum class Answer : uint8_t { Run, KernelsOnly, Later } answer = Answer::Run;  // Later: is asked again
};
/// Compiles the opened program and runs it again. Its host code runs only where the person allowed this text.
struct RunProgram {};
/// Ends the program that runs; what was shown before stays.
struct CancelProgram {};
/// Other launches of the file that is open.
struct SetLaunches {
  pipeline::LaunchFile launches;
};
/// The launches that the file's host code makes.
struct TakeHostLaunches {};
/// Shows another launch of the file, from 0.
struct SelectLaunch {
  uint32_t number = 0;
};
/// Compiles and runs this text in place of the file's, in memory alone. The file's own text begins an edit:
/// from then on what other programs do to the file is noticed.
struct SetText {
  std::filesystem::path file;  // of SourceTexts
  std::string text;
  uint64_t number = 0;  // of the caller's edits: SourceText::edit says which one is the last here
};
/// Writes the edited text where SourceText::target says, or to another file. Where that was changed by
/// another program, SourceText::dispute says so, and nothing is written.
struct SaveText {
  std::filesystem::path file;
  std::filesystem::path to = {};  // empty: the target
  enum class Existing { Keep, Replace } existing = Existing::Keep;
};
/// Ends a dispute, or takes edits back.
struct ChooseText {
  std::filesystem::path file;
  enum class Which {
    Edited,    // stays: saving then replaces what is in the target
    Original,  // of the file: edits are dropped
    Target,    // of the target, as the copy of a lesson's file that was saved before
  } which = Which::Edited;
};
/// These texts in place of all that are edited. A file that another program changed since an edit was made
/// from its text has a dispute.
struct TakeTexts {
  std::vector<EditedText> texts;
  std::vector<EditedText> made_from = {};  // of files among them: what was on the disk then
};
/// Shows again what the window was doing (session/kept_state.h).
struct ContinueKept {
  std::filesystem::path folder;
};
/// Reads the files again, and runs: they were changed by another program.
struct Reload {};
struct SetToggle {
  std::string name;  // a toggle of the lesson, or "kernel", also of a file
  std::string value;
};
/// Several at once, in this order: what revealing a question chooses.
struct SetToggles {
  std::vector<std::pair<std::string, std::string>> values;  // toggle or "kernel", value
};
struct SetDevice {
  std::string name;
};
struct SetLanguage {
  Language language = Language::English;
};
/// Runs again with or without the checks for data races and uninitialized reads.
struct SetChecks {
  emulator::Checks checks = emulator::Checks::All;
};
/// Runs again with another scheduling of diverged lanes.
struct SetScheduling {
  emulator::Scheduling scheduling = emulator::Scheduling::Independent;
};
/// Runs again with totals of the PTX or of the machine code. Where that is not to be had the level is the
/// PTX's, with the reason in Snapshot::error.
struct SetLevel {
  trace::CountLevel level = trace::CountLevel::Ptx;
};
/// Runs again on the GPU or in the emulator. A kernel that the GPU cannot run goes to the emulator, with the
/// reason in Snapshot::error.
struct SetProducer {
  pipeline::Producer producer = pipeline::Producer::Emulator;
};
/// Makes the run that is asked about (Snapshot::question).
struct ConfirmRun {};
/// Ends the run that is under way or asked about; the choices are again those of the run that is shown.
struct CancelRun {};
struct SelectBlock {
  CtaId cta;
};
struct SelectWarp {
  WarpId warp;
};
/// Selects access `index` of the warp; on side A the access that corresponds to it.
struct SelectAccess {
  uint32_t index = 0;
  Side side = Side::B;
};
struct Step {
  using To = pipeline::StepTo;
  To to = To::Next;
};
/// Selects the warp's first access on this source line, if it has one.
struct SelectLine {
  int line = 0;
  Side side = Side::B;  // whose source
};
/// Records what each instruction of the selected warp does to its registers (Snapshot::history).
struct ShowHistory {};
/// Selects another instruction of that history.
struct StepInstruction {
  Step::To to = Step::To::Next;
};
struct SelectInstruction {
  uint32_t index = 0;
};
/// Computes the whole-matrix map of a buffer (Snapshot::elements).
struct ShowElements {
  uint32_t buffer = 0;
  trace::Kind kind = trace::Kind::Load;
};
/// Makes images of the buffers' values (Snapshot::values), also after each later run.
struct ShowValues {};
/// Puts the accesses and waits of all warps of the selected block side by side (Snapshot::warps), from now
/// on.
struct ShowWarps {};
/// Adds up what each block costs (Snapshot::block_costs), also after each later run.
struct ShowBlockCosts {};
/// From now on runs have the modelled caches, where the device has rules for them.
struct ShowCaches {};
/// Shows the times of another recording (Snapshot::timings).
struct SetRecording {
  std::string name;
};
/// Measures the lesson's kernels on the GPU with the current settings.
struct MeasureKernels {};
/// Cancels measuring.
struct StopMeasuring {};

/// Selects the wave of blocks that is shown in flight; the last one where there are fewer.
struct SelectWave {
  uint32_t number = 0;
};
/// Makes a figure of models (Snapshot::study). Its runs are carried out while no other command is queued.
struct ShowStudy {
  study::StudyRequest request;
};
struct CancelStudy {};

/// Chooses an exercise of the lesson that was opened last (Snapshot::exercise).
struct OpenExercise {
  std::string name;  // of its folder
};
/// Writes the starter to the exercise's file, and checks that file from now on. A file that exists is used as
/// it is.
struct StartExercise {};
/// Looks for changes of the file only while its checks are in sight.
struct WatchSubmission {
  bool in_sight = false;
};
/// Checks the file, also if it has not changed.
struct CheckSubmission {};
struct StopChecking {};
/// Reads the list of the program's launches again, which goes on.
struct ReadProgram {};

/// Keeps the present run as A (Snapshot::pinned), in place of an earlier one.
struct Pin {};
struct Unpin {};
/// What was A becomes the present configuration, and the present one A.
struct SwapPinned {};
/// Runs the solution of the chosen exercise as A, and the student's file beside it.
struct CompareWithSolution {};

/// Takes back the last change of a setting (Snapshot::undo), or makes it again. The place in the warp stays.
struct Undo {};
struct Redo {};
/// Shows a step of a lecture (Snapshot::lecture), the last one where there are fewer.
struct OpenLecture {
  std::string name;   // of lesson::find_lecture()
  uint32_t step = 0;  // from 0
};
/// Shows a step of the lecture, from 0; the last one where there are fewer.
struct ShowLectureStep {
  uint32_t number = 0;
};
struct CloseLecture {};
/// Shows what a link says (session/view_link.h).
struct OpenLink {
  std::string link;
};
/// Says what is wrong with what is being opened, such as a part of a link, until the next command of a
/// person.
struct ReportError {
  Error error;
};
/// All settings at once, and the place that is shown; the language stays.
struct Restore {
  std::shared_ptr<const Choices> choices;  // not null
  pipeline::SelectionRequest place = {};
  enum class Role : uint8_t { First, AfterPin } role = Role::First;  // AfterPin: keeps the error of Pin
};

using Command =
    std::variant<OpenLesson, OpenFile, AnswerProgram, RunProgram, CancelProgram, SetLaunches,
                 TakeHostLaunches, SelectLaunch, SetText, SaveText, ChooseText, TakeTexts, ContinueKept,
                 Reload, SetToggle, SetToggles, SetDevice, SetLanguage, SetChecks, SetScheduling, SetLevel,
                 SetProducer, ConfirmRun, CancelRun, SelectBlock, SelectWarp, SelectAccess, Step, SelectLine,
                 ShowHistory, StepInstruction, SelectInstruction, ShowElements, ShowValues, ShowWarps,
                 ShowBlockCosts, ShowCaches, SelectWave, SetRecording, MeasureKernels, StopMeasuring,
                 ShowStudy, CancelStudy, OpenExercise, StartExercise, WatchSubmission, CheckSubmission,
                 StopChecking, ReadProgram, Pin, Unpin, SwapPinned, CompareWithSolution, Undo, Redo,
                 OpenLecture, ShowLectureStep, CloseLecture, OpenLink, ReportError, Restore>;

}  // namespace lanescope::session
