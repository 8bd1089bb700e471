// What the window shows: an immutable picture of one run and one place in it. Made by the session's worker,
// read by the views, which compute nothing. Heavy parts are shared between snapshots that differ only in the
// place.

#pragma once

#include "emulator/checks/checks.h"
#include "emulator/schedule/scheduling.h"
#include "lesson/lesson.h"
#include "model/banks.h"
#include "model/sectors.h"
#include "model/tiles.h"
#include "pipeline/producer.h"
#include "pipeline/run.h"
#include "plot/figures.h"
#include "study/study_request.h"
#include "trace/history.h"
#include "trace/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// A lane of the current access, as the warp panel lists it.
struct LaneRow {
  Dim3 thread;
  bool active = false;
  std::string address;  // "in[3][17]", "shared + 0x84"
  std::string value;    // formatted by the buffer's element type; empty when not kept
};

/// A register of the selected warp behind the instruction that is shown.
struct RegisterRow {
  std::string name;
  LaneMask written;  // lanes in which it holds a value
  LaneMask changed;  // lanes in which the instruction wrote it
  std::vector<std::string>
      before;  // [lane] of those, empty where it held nothing; no element without a change
  std::vector<std::string> after;  // [lane]
};

/// The access beside the current one that goes to the other kind of memory, so that banks and sectors can be
/// seen together: for a load what comes next, for a store what came before.
struct Companion {
  plot::AccessPlace place;
  std::optional<model::BankReport> banks;
  std::optional<model::SectorReport> sectors;
};

/// The recordings to choose from, and what the chosen one has.
struct RecordingList {
  std::vector<std::string> names;
  std::string chosen;           // empty: there is none
  std::string gpu;              // of the chosen one
  std::vector<uint32_t> sizes;  // of the matrices that it has times of
  std::vector<Error> errors;    // files that are no recordings
  std::string folder;           // where a person puts their own
};

/// How far measuring is.
struct MeasureProgress {
  size_t done = 0;
  size_t total = 0;
};

/// A figure of the models that was asked for: on its way, finished, failed or cancelled.
struct StudyState {
  study::StudyRequest request;
  uint64_t version = 0;  // rises with each figure
  size_t runs_done = 0, runs = 0;
  bool cancelled = false;
  std::optional<Error> error = std::nullopt;
  std::function<plot::Figure(const plot::Frame&)> make = nullptr;  // empty until it is finished
};

struct Snapshot {
  uint64_t generation = 0;      // rises with every snapshot
  uint64_t run_generation = 0;  // rises with every run: what depends on the run alone is cached by it
  std::shared_ptr<const lesson::Lesson> lesson;  // null before the first lesson and for a file of the user's
  lesson::Settings settings;
  Language language = Language::English;
  emulator::Checks checks = emulator::Checks::All;                      // of runs from now on
  emulator::Scheduling scheduling = emulator::Scheduling::Independent;  // the same
  bool has_gpu = false;                                        // that can run the kernel and be measured
  pipeline::Producer producer = pipeline::Producer::Emulator;  // of runs from now on
  model::Device device;                                        // of the partition map
  std::vector<std::string> devices;  // names to choose from, and paths of files of the user's own
  std::vector<std::string> lessons;

  std::shared_ptr<const pipeline::Run> run;  // null: nothing ran yet, or it failed: see error
  std::optional<Error> error;  // of the last command, else of the last run: the run before it stays visible
  bool busy = false;           // a command is being worked on

  // The place. Meaningful while run is set.
  CtaId cta;
  WarpId warp;
  uint32_t warps = 0;   // per block
  uint32_t access = 0;  // index into timeline
  uint32_t wave = 0;    // of blocks in flight
  uint32_t waves = 0;   // of the run on the device
  std::vector<plot::TimelineEntry>
      timeline;                            // accesses of the selected warp; empty if its block was not kept
  std::vector<LaneRow> lanes;              // [lane] of the current access
  std::optional<plot::AccessPlace> place;  // current access; borrows from run->trace
  std::optional<model::BankReport> banks;  // if the access is to shared memory
  std::optional<model::SectorReport> sectors;         // if it is to global or local memory
  std::optional<Companion> companion;                 // if the warp uses both kinds of memory
  std::shared_ptr<const model::ElementMap> elements;  // if asked for by ShowElements
  std::shared_ptr<const plot::Bandwidth> bandwidth;   // measured, else recorded; null: no times of this size
  uint64_t bandwidth_generation = 0;                  // rises with every change of it
  std::shared_ptr<const RecordingList> recordings;    // null before the first run
  std::optional<MeasureProgress> measuring;
  std::shared_ptr<const StudyState> study;                    // if asked for by ShowStudy
  std::shared_ptr<const trace::History> history;              // of the warp, if asked for by ShowHistory
  uint32_t instruction = 0;                                   // index in its entries
  std::shared_ptr<const std::vector<RegisterRow>> registers;  // of its function, those it changed first
};

/// What of a failed or finished export, compile log and so on the window should tell.
struct Notice {
  bool is_error = false;
  std::string text;
};

}  // namespace lanescope::session
