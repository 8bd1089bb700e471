#include "shell/progress.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {

Progress::Progress(uint64_t blocks) {
  if (isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this, blocks](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    bool shown = false;
    while (!never.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); })) {
      fmt::print(stderr, "\r{} of {} blocks (Ctrl-C stops)", finished_.load(), blocks);
      shown = true;
    }
    if (shown) fmt::print(stderr, "\r\033[K");
  });
}

Progress::~Progress() = default;

}  // namespace lanescope::shell
