// Owns the state and the worker thread: commands in, immutable snapshots out. The caller never waits.
// Method: one worker takes commands in order (command_queue.h), reruns from the stage that a command affects,
// and swaps the snapshot. While idle it compiles the kernel for each change of a single toggle. An exception
// ends the activity that threw it and becomes the snapshot's error.
// Tests: tests/unit/session/session_test.cpp

#pragma once

#include "pipeline/options.h"
#include "session/command.h"
#include "session/engine.h"
#include "session/snapshot.h"

#include <functional>
#include <memory>
#include <string>

namespace lanescope::session {

class Worker;

class Session {
 public:
  explicit Session(pipeline::Options options, Engine engine = Engine::Thread);
  ~Session();  // cancels what runs
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Never blocks.
  void post(Command command);
  /// Of Engine::Pumped: does one piece of work, which may take as long as a run of the kernel. Whether there
  /// was one.
  bool pump();
  /// The latest snapshot; never null.
  std::shared_ptr<const Snapshot> latest() const;
  /// Blocks until no command is queued or running: for tests, screenshots and the command line.
  void wait_until_idle();
  /// The same, and until the bandwidths of the chosen device are modelled, which goes on while it is idle.
  void wait_until_modelled();
  /// `listener` is called from the worker's thread after each new snapshot, to wake a sleeping window. It
  /// must return at once. When this function returns, any call of the previous listener has returned.
  void on_change(std::function<void()> listener);

 private:
  std::unique_ptr<Worker> worker_;
};

}  // namespace lanescope::session
