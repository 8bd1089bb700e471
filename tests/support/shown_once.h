// Waits for what a session shows by itself, as after a file changed on disk.

#pragma once

#include "session/session.h"

#include <chrono>
#include <thread>

namespace lanescope::tests {

/// What is shown once `is_so` accepts it, or after 20 s.
template <class F>
std::shared_ptr<const session::Snapshot> once(const session::Session& session, F&& is_so) {
  for (int n = 0; n < 400 && !is_so(*session.latest()); ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return session.latest();
}

}  // namespace lanescope::tests
