// Launches of all processes run one after the other, and the one that runs can be stopped. Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <utility>

namespace lanescope::driver {

/// Callbacks of each launch: `begins` with the kernel's name in the PTX, `ends` before the program continues.
struct LaunchWatch {
  std::function<void(std::string_view kernel)> begins = [](std::string_view) {};
  std::function<void()> ends = [] {};
};

class LaunchTurn {
 public:
  explicit LaunchTurn(LaunchWatch watch = {}) : watch_(std::move(watch)) {}

  /// Runs `work` when the launches before it are over, with a token that stop_launch() requests to stop.
  template <class Work>
  auto take(std::string_view kernel, Work&& work) {
    const std::lock_guard turn(turn_);
    watch_.begins(kernel);
    auto done = work(begin());
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
};

}  // namespace lanescope::driver
