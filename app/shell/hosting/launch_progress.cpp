#include "shell/hosting/launch_progress.h"

#include "base/escape.h"
#include "base/source_name.h"
#include "base/utf8.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

constexpr std::chrono::seconds kSilent{1};

/// Instances of templates have names of hundreds of characters, and the line must fit into a terminal's.
std::string shortened(const std::string& name) {
  constexpr size_t kMost = 40;
  return name.size() <= kMost ? name : valid_utf8(name.substr(0, kMost)) + "...";
}

}  // namespace

LaunchProgress::LaunchProgress() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

LaunchProgress::~LaunchProgress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  has_ended_.notify_one();
  thread_.join();
}

driver::LaunchWatch LaunchProgress::watch() {
  if (!is_terminal_) return {};
  return {.begins = [this](std::string_view kernel) { begin(kernel); }, .ends = [this] { end(); }};
}

void LaunchProgress::begin(std::string_view kernel) {
  const std::lock_guard lock(mutex_);
  kernel_ = kernel;
  began_ = Clock::now();
  ++launches_;
  // Begun here and not before, so that it has the mask of signals of the program's run.
  if (!thread_.joinable()) thread_ = std::thread([this] { redraw_until_the_end(); });
  if (began_ - start_ >= kSilent) draw();
}

void LaunchProgress::end() {
  const std::lock_guard lock(mutex_);
  kernel_.clear();
  if (is_drawn_) fmt::print(stderr, "\r\033[K");
  is_drawn_ = false;
}

void LaunchProgress::draw() {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_).count();
  fmt::print(stderr, "\r\033[Klaunch {}: {}{} (Ctrl-C stops it)", launches_,
             shortened(without_control_characters(source_name_of(kernel_))),
             seconds == 0 ? "" : fmt::format(", {} s", seconds));
  is_drawn_ = true;
}

void LaunchProgress::redraw_until_the_end() {
  std::unique_lock lock(mutex_);
  while (!has_ended_.wait_for(lock, kSilent, [this] { return is_over_; }))
    if (!kernel_.empty()) draw();
}

}  // namespace lanescope::shell
