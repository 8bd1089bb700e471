// How far a run is, and what it would take. Tests: tests/unit/session/long_run_test.cpp

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace lanescope::session {

/// How far the run is that is under way. Written by the threads of the run, read by the window.
struct RunProgress {
  std::atomic<uint64_t> finished_blocks{0};
  std::atomic<uint64_t> blocks{0};  // 0: there are none to count yet
  std::atomic<std::chrono::steady_clock::time_point> began{};

  double seconds() const;  // since it began
  /// Of the whole run, from its blocks so far; none before the first ended.
  std::optional<double> estimate() const;
};

/// What a run would take: the reason of the question.
struct LongRun {
  std::optional<double> seconds = {};  // estimated
  std::optional<uint64_t> bytes = {};  // of all buffers
  std::optional<double> waited = {};   // seconds in which no block ended: the kernel may not end
};

}  // namespace lanescope::session
