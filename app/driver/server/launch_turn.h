// Launches of all processes run one after the other, and the one that runs can be stopped. Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <utility>

namespace lanescope::driver {

/// A launch that begins to run.
struct RunningLaunch {
  std::string_view kernel;  // its name in the PTX
  uint64_t blocks = 0;      // of its grid
  /// Blocks that have run; from 0 again where the launch is run a second time.
  const std::atomic<uint64_t>* finished_blocks = nullptr;
};

/// Callbacks of each launch: `begins`, and `ends` before the program continues.
struct LaunchWatch {
  std::function<void(const RunningLaunch&)> begins = [](const RunningLaunch&) {};
  std::function<void()> ends = [] {};
};

/// Means to stop the launch that runs, and its counter of blocks.
struct LaunchControl {
  std::stop_token stop;
  std::atomic<uint64_t>* finished_blocks = nullptr;
};

class LaunchTurn {
 public:
  explicit LaunchTurn(LaunchWatch watch = {}) : watch_(std::move(watch)) {}

  /// Runs `work` with a LaunchControl when the launches before it are over; stop_launch() requests its token
  /// to stop.
  template <class Work>
  auto take(std::string_view kernel, uint64_t blocks, Work&& work) {
    const std::lock_guard turn(turn_);
    finished_blocks_ = 0;
    watch_.begins({kernel, blocks, &finished_blocks_});
    auto done = work(LaunchControl{begin(), &finished_blocks_});
    watch_.ends();
    return done;
  }
  /// Stops the launch that runs now, if one does.
  void stop_launch() {
    const std::lock_guard lock(mutex_);
    source_.request_stop();
  }

 private:
  std::stop_token begin() {
    const std::lock_guard lock(mutex_);
    source_ = {};
    return source_.get_token();
  }

  LaunchWatch watch_;
  std::mutex turn_, mutex_;
  std::stop_source source_;
  std::atomic<uint64_t> finished_blocks_ = 0;
};

}  // namespace lanescope::driver
