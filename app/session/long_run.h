// Whether a run that takes long shall be made at all. Method: a run that nobody confirmed is asked about
// before it takes much memory, and after some time, when the blocks that ended tell how long all will take,
// or when none has ended; it is then stopped. A run that takes longer than an eye waits is told of, so that
// its source is on the screen while it runs. Tests: tests/unit/session/long_run_test.cpp

#pragma once

#include "base/error.h"
#include "launch/launch.h"
#include "pipeline/execution.h"
#include "session/run_progress.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace lanescope::session {

/// The bytes of the launch's buffers, whether they are filled or not.
uint64_t bytes_of(const launch::Launch& launch);

/// Watches one run.
class RunWatch {
 public:
  /// `limits`: none for a run that was confirmed. A request of `stop` stops the run too.
  RunWatch(std::stop_token stop, std::shared_ptr<RunProgress> progress,
           std::optional<pipeline::RunLimits> limits);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  /// Called before memory is taken. Error: Cancelled where the run is to be asked about.
  Result<void> admit(const launch::Launch& launch);
  /// The run's options, watched.
  pipeline::RunOptions watched(pipeline::RunOptions options) const;
  /// Called before each launch of the run.
  void begin(const launch::Launch& launch);
  /// Calls `tell` once, on a thread of the watch, where the launch that began takes longer than 0.2 s. It is
  /// not called for a run that was confirmed, and never after the watch ended.
  void when_late(std::function<void()> tell);
  /// Why the run was stopped, if it was.
  std::optional<LongRun> question() const;

 private:
  void watch(const std::stop_token& end);
  void tell_if_late(double waited_seconds);

  std::optional<pipeline::RunLimits> limits_;
  std::shared_ptr<RunProgress> progress_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  mutable std::mutex mutex_;
  std::optional<LongRun> question_;
  std::function<void()> when_late_;
  std::jthread thread_;
};

}  // namespace lanescope::session
