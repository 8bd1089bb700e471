// A program of the user's that `lanescope run` starts: with an environment in which Lanescope stands in for
// the CUDA driver. Tests: tests/cli/run_test.cpp

#pragma once

#include "base/error.h"

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lanescope::shell {

struct Hosting {
  std::filesystem::path libraries;  // the folder with libcuda.so.1 and its companions
  std::filesystem::path driver;     // that calls are passed on to; empty: the emulator stands in for it
  bool keeps_ptx = true;            // the program's compilers are to hand over PTX in place of machine code
  std::filesystem::path python;  // the folder of the modules that are added to Python's path; may be missing
  std::filesystem::path socket;  // of the driver
  std::string device;            // the word that chose it
  std::filesystem::path lanescope;  // this program, for figures of what was kept
};

/// The program's environment: this process's with what Hosting adds.
std::vector<std::string> environment_of(const Hosting& hosting);

/// Signals of the keyboard, SIGINT and SIGQUIT, while it lives: this process does not end, and each calls
/// `on_signal` in a thread of its own. To be made before other threads are. A program that is started gets
/// them as ever.
class Keyboard {
 public:
  explicit Keyboard(std::function<void()> on_signal);
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

 private:
  sigset_t before_{};
  int signals_ = -1;  // a descriptor that they are read from
  std::jthread thread_;
};

/// Runs `words` in the environment to its end, with this process's input and output. Returns its exit status;
/// 128 and the signal's number where a signal ended it. Errors: Usage where there is no such program.
Result<int> run_hosted(const std::vector<std::string>& words, const std::vector<std::string>& environment);

/// Starts a program that outlives this one. Errors: as above.
Result<void> start_detached(const std::vector<std::string>& words);

}  // namespace lanescope::shell
