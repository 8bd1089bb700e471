// Runs a program with limits of time and memory, and keeps what it printed: for work on files that may hang
// or exhaust the machine. Method: the child sets its own resource limits between fork and exec, and is killed
// when its time is over, or when this process ends. Tests: tests/cli/check_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::shell {

struct Limits {
  uint32_t seconds = 30;       // of the clock on the wall
  uint32_t memory_mib = 4096;  // of address space
};

struct Ended {
  enum class How : uint8_t { Exited, Signaled, TimedOut } how = How::Exited;
  int number = 0;             // the exit status, or the signal
  std::string output, error;  // at most 4 MiB of each
};

/// words[0] is the path of the program; it has no standard input. Error (File): it cannot be started.
Result<Ended> run_limited(const std::vector<std::string>& words, const Limits& limits);

}  // namespace lanescope::shell
