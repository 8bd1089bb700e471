// Runs numbered pieces of work in processes, as many at once as there are cores. Method: each process is
// forked from this one, takes numbers from a socket and answers with a line; this process, which has no
// threads meanwhile, has the lines stored, several at once where they come fast. A process that ends by
// itself (a crash, no memory) costs its own piece: that is tried once more, alone. All of them end with this
// process, however it ends, and Ctrl-C (SIGINT), SIGTERM and SIGHUP end the work between two answers. Tests:
// tests/unit/sweep/workers_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::sweep {

/// What became of a piece of work.
struct Answer {
  uint64_t number = 0;
  std::string line;   // what the work returned; without a line feed
  std::string death;  // how its process ended twice: "signal 9 (Killed)"; empty: it did not
};

/// Does one piece of work; a process calls it for several.
using Work = std::function<std::string(uint64_t number)>;

struct WorkerPlan {
  std::vector<uint64_t> numbers;  // in this order
  unsigned processes = 1;
  std::function<Work()> begin;  // called once in each process
  /// Called at most five times a second, and in the end. An error ends the work.
  std::function<Result<void>(std::span<const Answer>)> store;
  std::function<void()> tick = {};  // about once a second; may be empty
};

/// How the work ended.
struct WorkersEnd {
  int signal = 0;  // that stopped it; 0: all is done
};

/// After a stop the signals stay blocked, so that a second one does not end the caller before it says what
/// was done. Errors: those of `store`; File where no process can be started.
Result<WorkersEnd> run_workers(const WorkerPlan& plan);

}  // namespace lanescope::sweep
