// Says which launch of a program runs. On a terminal in one line, when the program has run for a second: how
// many there were, the kernel, how long this one has taken, and after 5 s the share of its grid and an
// estimate of the rest. Elsewhere a line for a launch that has taken 5 s, and then whenever it has taken
// twice as long. Method: the line stands only while a launch runs, and the program waits for it, so that what
// the program prints never mixes with it. Tests: tests/cli/program_end_test.cpp,
// tests/unit/shell/launch_progress_test.cpp

#pragma once

#include "driver/server/launch_turn.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace lanescope::shell {

class LaunchProgress {
 public:
  LaunchProgress();
  ~LaunchProgress();
  LaunchProgress(const LaunchProgress&) = delete;
  LaunchProgress& operator=(const LaunchProgress&) = delete;

  /// What the driver is to call; this object must outlive it.
  driver::LaunchWatch watch();

 private:
  using Clock = std::chrono::steady_clock;
  void begin(const driver::RunningLaunch& launch);
  void end();
  void draw();
  void tell();
  void redraw_until_the_end();

  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // of all below
  std::condition_variable has_ended_;
  bool is_over_ = false, is_drawn_ = false;
  std::string kernel_;  // empty: no launch runs
  uint64_t blocks_ = 0;
  const std::atomic<uint64_t>* finished_blocks_ = nullptr;
  std::chrono::seconds next_told_{0};  // of the launch's time
  Clock::time_point began_;
  uint64_t launches_ = 0;
  std::thread thread_;
};

/// ", 12 s, 35 % of its 4096 blocks, about 22 s left"; before the fifth second the time alone.
std::string progress_text(std::chrono::seconds taken, uint64_t finished, uint64_t blocks);

}  // namespace lanescope::shell
