// Owns the state and the worker thread: commands in, immutable snapshots out. The caller never waits.
// Method: one worker takes commands in order (newer ones replace queued ones of the same tag), reruns from
// the stage that the command concerns, and swaps the snapshot. While idle it compiles every single flip
// ahead. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "session/command.h"
#include "session/snapshot.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace lanescope::session {

/// Where the program's data lies and what it may use.
struct Options {
  std::filesystem::path assets;   // devices/, lessons/, ptx/
  std::filesystem::path kernels;  // CUDA sources of the lessons
  std::filesystem::path cache;    // compiled PTX; empty: none
  unsigned threads = 0;           // emulator; 0: all cores
  Language language = Language::English;
  std::string device = "gt200";  // whose partition map is shown first
};

class Session {
 public:
  explicit Session(Options options);
  ~Session();  // cancels what runs
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Never blocks.
  void post(Command command);
  /// The latest snapshot; never null.
  std::shared_ptr<const Snapshot> latest() const;
  /// Blocks until no command is queued or running: for tests, screenshots and the command line.
  void wait_until_idle();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace lanescope::session
