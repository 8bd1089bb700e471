// Says on a terminal which launch of a program runs, in one line, when the program has run for a second: how
// many there were, the kernel, and how long this one has taken. Method: the line stands only while a launch
// runs, and the program waits for it, so that what the program prints never mixes with it. Where standard
// error is no terminal nothing is said. Tests: tests/cli/program_end_test.cpp

#pragma once

#include "driver/server/launch_turn.h"

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
  void begin(std::string_view kernel);
  void end();
  void draw();
  void redraw_until_the_end();

  const bool is_terminal_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // of all below
  std::condition_variable has_ended_;
  bool is_over_ = false, is_drawn_ = false;
  std::string kernel_;  // empty: no launch runs
  Clock::time_point began_;
  uint64_t launches_ = 0;
  std::thread thread_;
};

}  // namespace lanescope::shell
