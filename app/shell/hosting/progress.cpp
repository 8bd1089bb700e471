#include "shell/hosting/progress.h"

#include "shell/hosting/estimate.h"

#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kOnTerminal{1000};
constexpr std::chrono::milliseconds kElsewhere{10000};

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

Progress::Progress() : interrupts_(-1), end_(eventfd(0, EFD_CLOEXEC)) {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &mask_before_);
  interrupts_ = signalfd(-1, &interrupt, SFD_CLOEXEC);
  thread_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  eventfd_write(end_, 1);
  thread_.join();
  if (is_shown_ && is_terminal()) fmt::print(stderr, "\r\033[K");
  close(end_);
  close(interrupts_);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Progress::watch() {
  const bool terminal = is_terminal();
  const auto pause = terminal ? kOnTerminal : kElsewhere;
  std::array<pollfd, 2> watched{{{interrupts_, POLLIN, 0}, {end_, POLLIN, 0}}};
  while (true) {
    poll(watched.data(), watched.size(), static_cast<int>(pause.count()));
    if (watched[0].revents != 0) interrupt();
    if (watched[1].revents != 0) return;
    const std::string now = text();
    if (now.empty()) continue;
    if (terminal)
      fmt::print(stderr, "\r\033[K{} (Ctrl-C stops)", now);
    else
      fmt::print(stderr, "{}\n", now);
    is_shown_ = true;
  }
}

/// Ends the program as the signal would have.
void Progress::interrupt() {
  const std::string reached = text();
  fmt::print(stderr, "{}stopped{}{}\n", is_shown_ && is_terminal() ? "\r\033[K" : "",
             reached.empty() ? "" : " at ", reached);
  std::signal(SIGINT, SIG_DFL);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
  std::raise(SIGINT);
  _exit(128 + SIGINT);
}

void Progress::begin(std::string what, uint64_t blocks) {
  const std::scoped_lock lock(mutex_);
  finished_ = 0;
  what_ = std::move(what);
  blocks_ = blocks;
  began_ = Clock::now();
}

std::string Progress::text() const {
  const std::scoped_lock lock(mutex_);
  if (blocks_ == 0) return what_;
  const uint64_t finished = finished_.load();
  return fmt::format("{}{}{} of {} blocks{}", what_, what_.empty() ? "" : ": ", finished, blocks_,
                     estimate(finished, blocks_, Clock::now() - began_));
}

}  // namespace lanescope::shell
