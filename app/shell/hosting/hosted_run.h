// A program that uses CUDA, run from its start to its report: the driver that stands in for NVIDIA's, the
// folder for the launches, the emulator's threads, the keyboard. For `lanescope run` and for the verbs that
// run a person's source as the program it is. Tests: tests/cli/run_test.cpp, tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/driver_process.h"
#include "driver/server/program_log.h"
#include "emulator/options.h"
#include "shell/hosting/hosted_program.h"
#include "shell/paths.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::shell {

/// The device that a program sees where none is chosen: of sm_90 Triton makes instructions that the emulator
/// lacks.
inline constexpr const char* kDeviceOfPrograms = "ampere";

/// Of what the launches of one run were given.
inline constexpr uint64_t kMostInputBytes = uint64_t{256} << 20;

struct HostedRun {
  ProgramCommand command;
  std::vector<std::string> shown_words = {};  // the command in the report; empty: that of `command`
  std::string device = kDeviceOfPrograms;     // a name of assets/devices, or a file
  uint32_t devices = 1;                       // of that kind, which the program sees
  std::vector<std::string> notes = {};        // sentences for the report
  bool runs_on_gpu = false;                   // this machine's GPU runs the launches
  driver::KeptLaunches keeps = driver::KeptLaunches::First;
  driver::KeptAccesses accesses = driver::KeptAccesses::All;
  uint64_t most_input_bytes = 0;            // of what the launches that are kept were given; 0: not kept
  std::optional<uint32_t> also_keeps = {};  // number of a launch that is kept in any case
  std::vector<std::string> captures = {};   // KERNEL[:N], of launches on a GPU
  std::filesystem::path folder = {};        // of run.json and the traces; empty: none
  bool opens_window = false;                // on the folder, while the program runs
  bool is_reported = true;  // by report_launches() when it has ended: what the report has is not said before
  unsigned threads = 0;     // of the emulator; 0: one per core
  uint64_t limit_steps = emulator::kDefaultLimitSteps;
  uint32_t limit_seconds = 0;  // 0: none
  bool models_caches = false;  // of the emulated device
  bool flushes_l2 = false;     // before each launch, where the caches are modelled
  bool runs_repeats = false;   // also launches that would repeat one that changed nothing
  emulator::OutOfBounds out_of_bounds = emulator::OutOfBounds::Stops;
  uint64_t sample_blocks = 0;                        // of a larger launch only so many are run; 0: all
  trace::CountLevel level = trace::CountLevel::Ptx;  // whose accesses are counted
  bool samples_all = false;  // also launches run that read what a sampled launch left incomplete
};

struct HostedOutcome {
  std::unique_ptr<driver::ProgramLog> log;
  ProgramEnd end;
};

/// Runs the program to its end. Ctrl-C ends the launch that runs, a second one the program. Errors: Usage,
/// File, Unsupported where the program could not be started.
Result<HostedOutcome> run_program(const HostedRun& wanted, const Paths& paths);

/// Why the program did not end as its author meant it to, as a sentence; empty where it ended with status 0.
std::string sentence_of(const ProgramEnd& end, const HostedRun& run);

/// What is wrong with the launches, what was not supported, and notes, on standard error. The exit status: 1
/// if a launch has a finding or did not run to its end.
int report_launches(const driver::ProgramLog& log);

/// The failures of libraries that the program called, a line for each function, on standard error. True if
/// there is any.
bool report_library_failures(const driver::ProgramLog& log);

/// The failures of libraries, the table of the launches, then report_launches(), on standard error.
void print_report(const driver::ProgramLog& log);

/// A new folder for a run, in the cache. Those of the last runs stay.
Result<std::filesystem::path> make_run_folder(const Paths& paths);

}  // namespace lanescope::shell
