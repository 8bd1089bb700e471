// Runs a program with limits of time and memory, and keeps what it printed: for work on files that may hang
// or exhaust the machine, and for compilers. Method: the child leads a process group of its own and sets its
// resource limits between fork and exec; the group is killed when the time is over, the child also when this
// process ends. Tests: tests/unit/base/limited_process_test.cpp, tests/cli/check_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope {

struct Limits {
  uint32_t seconds = 30;              // of the clock on the wall
  uint32_t memory_mib = 4096;         // of address space; 0: as much as the system gives
  std::filesystem::path folder = {};  // that the program works in; empty: this process's
  std::stop_token stop = {};          // kills the program
  int error_to = -1;                  // a descriptor that its standard error goes to; -1: it is kept
};

struct Ended {
  enum class How : uint8_t { Exited, Signaled, TimedOut, Stopped } how = How::Exited;
  int number = 0;             // the exit status, or the signal
  std::string output, error;  // at most 4 MiB of each
};

/// words[0] is the path of the program; it has no standard input. Error (File): it cannot be started.
Result<Ended> run_limited(const std::vector<std::string>& words, const Limits& limits);

}  // namespace lanescope
