// A program of the user's that `lanescope run` starts: with an environment in which Lanescope stands in for
// the CUDA driver. Tests: tests/cli/run_test.cpp

#pragma once

#include "base/error.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lanescope::shell {

struct Hosting {
  std::filesystem::path libraries;  // the folder with libcuda.so.1 and its companions
  std::filesystem::path links;      // the folder of names that `libraries` lacks; empty: none
  std::filesystem::path driver;     // that calls are passed on to; empty: the emulator stands in for it
  bool keeps_ptx = true;            // the program's compilers are to hand over PTX in place of machine code
  std::filesystem::path python;  // the folder of the modules that are added to Python's path; may be missing
  std::filesystem::path socket;  // of the driver
  std::string device;            // the word that chose it
  std::filesystem::path lanescope;     // this program, for figures of what was kept
  std::filesystem::path project;       // with third_party/fetch.py, which fetches nvcc where it is missing
  std::filesystem::path cache;         // below which it is fetched
  std::filesystem::path nvcc = {};     // NVIDIA's; empty: none is known
  std::filesystem::path toolkit = {};  // the folder that stands in for CUDA's toolkit; empty: none
  bool is_reported = false;            // on this process's standard error, when the program has ended
};

/// [n] "NAME=value" of this process.
std::vector<std::string> own_environment();

/// The program's environment: this process's with what Hosting adds.
std::vector<std::string> environment_of(const Hosting& hosting);

/// "NAME=value" of the variables by which a build finds Lanescope's nvcc and toolkit, without a driver.
std::vector<std::string> build_environment_of(const Hosting& hosting);

/// Signals that end a process, from the keyboard (SIGINT, SIGQUIT) and from others (SIGTERM, and SIGHUP where
/// it is not ignored), while it lives: this process does not end, and each calls `on_signal` in a thread of
/// its own. To be made before other threads are. A program that is started gets
/// them as ever.
class EndSignals {
 public:
  explicit EndSignals(std::function<void(int signal)> on_signal);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  sigset_t before_{};
  int signals_ = -1;  // a descriptor that they are read from
  int end_ = -1;      // a descriptor that is readable when no more are to be read
  std::jthread thread_;
};

struct ProgramCommand {
  std::vector<std::string> words;         // the program, as it sees its own name, and its arguments
  std::filesystem::path executable = {};  // the program's file; empty: found by the first word
  std::filesystem::path folder = {};      // that the program works in; empty: this process's
  /// Where the program's standard output goes: to this process's, or to standard error where a report needs
  /// standard output for itself.
  enum class Output : uint8_t { Output, Error } output = Output::Output;
};

/// When a program is ended that does not end by itself. What it started is ended with it.
struct EndOfProgram {
  uint32_t limit_seconds = 0;                   // of the clock on the wall; 0: no limit
  const std::atomic<int>* by_signal = nullptr;  // not 0: it is to end, because of this signal; null: never
};

struct ProgramEnd {
  enum class Cause : uint8_t { Itself, Limit, Keyboard, Signal } cause = Cause::Itself;
  int status = 0;  // the exit status; 128 and the signal's number where a signal ended it
};

/// Runs a program in the environment to its end, with this process's input. Errors: Usage where there is no
/// such program.
Result<ProgramEnd> run_hosted(const ProgramCommand& command, const std::vector<std::string>& environment,
                              const EndOfProgram& end);

/// "it crashed: ...": for the sentence about a program that a signal ended; empty for another status.
std::string signal_text(int status);

/// Starts a program that outlives this one. Errors: as above.
Result<void> start_detached(const std::vector<std::string>& words);

}  // namespace lanescope::shell
