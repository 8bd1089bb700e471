// Folders of the program's data, and the defaults of runs and sessions.

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "emulator/options.h"
#include "pipeline/producer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::gpu {
class Gpu;
}
namespace lanescope::trace {
struct TracePart;
struct WantedBlocks;
}  // namespace lanescope::trace
namespace lanescope::compile {
struct Compilation;
struct Options;
struct Source;
}  // namespace lanescope::compile

namespace lanescope::pipeline {

/// Texts that are compiled in place of files: what is edited. [absolute path]
using EditedFiles = std::map<std::filesystem::path, std::shared_ptr<const std::string>>;
/// The name of a file in EditedFiles.
std::filesystem::path edited_name(const std::filesystem::path& file);
/// The edited text of the file; null where it is not edited.
const std::string* find_edited(const std::shared_ptr<const EditedFiles>& edited,
                               const std::filesystem::path& file);

/// From when on a session asks whether a run shall be made.
struct RunLimits {
  double seconds = 10;
  uint64_t bytes = uint64_t{2} << 30;  // of all buffers of a launch
};

/// What the compiler of a person's files is told, besides what their launches say.
struct CompilerOptions {
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::string standard = "c++17";
  std::vector<std::string> more;  // NVRTC's own
};

/// A source with `main`, to be compiled and run as the program that it is.
struct ProgramRequest {
  std::filesystem::path source;  // absolute
  std::vector<std::string> arguments;
  std::vector<std::string> include_directories;
  std::string device;  // that it sees: a name of the devices, or a file
};

/// What became of it.
struct ProgramOutcome {
  std::filesystem::path folder;  // of its launches (pipeline/program_run.h), made for this run alone
  std::string output;            // what it printed
  std::string problem;           // why it did not end as its author meant it to; empty: it did
};

struct Options {
  std::filesystem::path assets;   // devices/, lessons/, ptx/
  std::filesystem::path kernels;  // CUDA sources of the lessons
  std::filesystem::path cache;    // compiled PTX; empty: none
  std::filesystem::path
      own_devices;                // the user's device files, in addition to those of the assets; empty: none
  std::filesystem::path fetched;  // the packages that fetch.py unpacked: NVRTC, CUDA headers; empty: none
  std::filesystem::path installed;  // the folder in which pip put those packages and a wheel; empty: none
  /// Fetches NVRTC where none is found, or says on standard error why that fails; empty: nothing is fetched.
  std::function<void(const std::stop_token&)> fetch_compiler;
  /// The same for the toolkit whose ptxas assembles PTX.
  std::function<void(const std::stop_token&)> fetch_toolkit = {};
  /// Compiles in place of NVRTC what somebody waits for, to PTX and log; empty: NVRTC compiles. Errors:
  /// Cancelled for a stop and, in a session without a thread, where the answer is still to come: the session
  /// asks for the same again.
  std::function<Result<compile::Compilation>(const compile::Source&, const compile::Options&,
                                             std::stop_token)>
      compile_elsewhere;
  std::filesystem::path own_launches;  // the launches that the user chose for files; empty: not kept
  std::filesystem::path own_progress;  // the file of what a student has done; empty: not kept
  std::filesystem::path submissions;   // where starters of exercises are written; empty: the current folder
  unsigned threads = 0;                // of the emulator; 0: all cores
  Language language = Language::English;
  std::string device = "gt200";          // of the first partition map
  std::string device_of_files = "h200";  // that a person's own file opens with after a lesson
  CompilerOptions compiler;              // of a person's own file
  emulator::Checks checks = emulator::Checks::All;
  std::string recording = "h200";        // whose times are shown, by name; another where there is none
  std::filesystem::path own_recordings;  // the user's, in addition to assets/recordings; empty: none
  /// Opens the GPU that traces and measures; empty where there is none. A stop request ends waiting for its
  /// replies.
  std::function<Result<std::unique_ptr<gpu::Gpu>>(std::stop_token)> open_gpu;
  Producer producer = Producer::Emulator;             // of the first run
  std::optional<RunLimits> asks_above = RunLimits{};  // none: nobody is there to answer
  std::shared_ptr<const EditedFiles> edited;          // of a lesson's files; null: none
  /// Compiles and runs a program, until it ends or a stop is asked for; empty where none can be run. Errors:
  /// Cancelled; others where it was not compiled or started, with the reason in the first line.
  std::function<Result<ProgramOutcome>(const ProgramRequest&, std::stop_token)> run_program;
  std::filesystem::path own_programs;  // the file of the user's answers which programs may run; empty: none
  /// Reads some blocks of a saved trace; empty where none can be read.
  std::function<Result<trace::TracePart>(const std::filesystem::path&, const trace::WantedBlocks&)>
      read_trace;
  /// Whether what needs all blocks of a large saved trace is read while nobody waits.
  bool reads_all_blocks = true;
};

}  // namespace lanescope::pipeline
