// Launches of all processes run one after the other, and the one that runs can be stopped. Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include <mutex>
#include <stop_token>

namespace lanescope::driver {

class LaunchTurn {
 public:
  /// Runs `work` when the launches before it are over, with a token that stop_launch() requests to stop.
  template <class Work>
  auto take(Work&& work) {
    const std::lock_guard turn(turn_);
    return work(begin());
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

  std::mutex turn_, mutex_;
  std::stop_source source_;
};

}  // namespace lanescope::driver
