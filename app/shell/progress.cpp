#include "shell/progress.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

constexpr std::chrono::seconds kOnTerminal{1};
constexpr std::chrono::seconds kElsewhere{10};

}  // namespace

Progress::Progress() {
  thread_ = std::jthread([this, terminal = isatty(STDERR_FILENO) != 0](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    bool shown = false;
    const auto pause = terminal ? kOnTerminal : kElsewhere;
    while (!never.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
      const std::string now = text();
      if (now.empty()) continue;
      if (terminal)
        fmt::print(stderr, "\r\033[K{} (Ctrl-C stops)", now);
      else
        fmt::print(stderr, "{}\n", now);
      shown = true;
    }
    if (shown && terminal) fmt::print(stderr, "\r\033[K");
  });
}

Progress::~Progress() = default;

void Progress::begin(std::string what, uint64_t blocks) {
  const std::scoped_lock lock(mutex_);
  finished_ = 0;
  what_ = std::move(what);
  blocks_ = blocks;
}

std::string Progress::text() const {
  const std::scoped_lock lock(mutex_);
  if (blocks_ == 0) return what_;
  return fmt::format("{}{}{} of {} blocks", what_, what_.empty() ? "" : ": ", finished_.load(), blocks_);
}

}  // namespace lanescope::shell
