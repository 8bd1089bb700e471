// The snapshot that everyone sees, and who is told of a new one. Tests: tests/unit/session/session_test.cpp

#pragma once

#include "session/snapshot.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace lanescope::session {

class Publication {
 public:
  /// From any thread; null before the first snapshot.
  std::shared_ptr<const Snapshot> latest() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
  }

  /// From one thread at a time. The listener is called before this returns.
  void publish(Snapshot shown, const std::optional<Error>& error) {
    shown.generation = ++generation_;
    shown.error = error;
    auto snapshot = std::make_shared<const Snapshot>(std::move(shown));
    {
      const std::lock_guard lock(mutex_);
      snapshot_ = std::move(snapshot);
    }
    const std::lock_guard lock(listener_mutex_);
    if (listener_) listener_();
  }

  /// Returns after any call of the previous listener.
  void on_change(std::function<void()> listener) {
    const std::lock_guard lock(listener_mutex_);
    listener_ = std::move(listener);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_;
  uint64_t generation_ = 0;
  std::mutex listener_mutex_;  // held while the listener is called
  std::function<void()> listener_;
};

}  // namespace lanescope::session
