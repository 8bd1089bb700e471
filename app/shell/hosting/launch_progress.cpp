#include "shell/hosting/launch_progress.h"

#include "base/escape.h"
#include "base/source_name.h"
#include "base/utf8.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

constexpr std::chrono::seconds kSilent{1}, kLong{5};

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
  return {.begins = [this](const driver::RunningLaunch& launch) { begin(launch); },
          .ends = [this] { end(); }};
}

void LaunchProgress::begin(const driver::RunningLaunch& launch) {
  const std::lock_guard lock(mutex_);
  kernel_ = launch.kernel;
  blocks_ = launch.blocks;
  finished_blocks_ = launch.finished_blocks;
  began_ = Clock::now();
  next_told_ = kLong;
  ++launches_;
  // Begun here and not before, so that it has the mask of signals of the program's run.
  if (!thread_.joinable()) thread_ = std::thread([this] { redraw_until_the_end(); });
  if (is_terminal_ && began_ - start_ >= kSilent) draw();
}

void LaunchProgress::end() {
  const std::lock_guard lock(mutex_);
  kernel_.clear();
  finished_blocks_ = nullptr;
  if (is_drawn_) fmt::print(stderr, "\r\033[K");
  is_drawn_ = false;
}

void LaunchProgress::draw() {
  const auto taken = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
  fmt::print(stderr, "\r\033[Klaunch {}: {}{} (Ctrl-C stops it)", launches_,
             shortened(without_control_characters(source_name_of(kernel_))),
             progress_text(taken, finished_blocks_->load(), blocks_));
  is_drawn_ = true;
}

void LaunchProgress::tell() {
  const auto taken = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
  if (taken < next_told_) return;
  next_told_ = 2 * taken;
  fmt::print(stderr, "lanescope: launch {}: {}{}\n", launches_,
             shortened(without_control_characters(source_name_of(kernel_))),
             progress_text(taken, finished_blocks_->load(), blocks_));
}

void LaunchProgress::redraw_until_the_end() {
  std::unique_lock lock(mutex_);
  while (!has_ended_.wait_for(lock, kSilent, [this] { return is_over_; })) {
    if (kernel_.empty()) continue;
    if (is_terminal_)
      draw();
    else
      tell();
  }
}

std::string progress_text(std::chrono::seconds taken, uint64_t finished, uint64_t blocks) {
  std::string text = taken.count() == 0 ? "" : fmt::format(", {} s", taken.count());
  if (taken < kLong || blocks < 2) return text;
  const double share = static_cast<double>(std::min(finished, blocks)) / static_cast<double>(blocks);
  text += fmt::format(", {:.0f} % of its {} blocks", 100 * share, blocks);
  if (share == 0 || share == 1) return text;
  const double left = static_cast<double>(taken.count()) * (1 - share) / share;
  return text + (left < 100 ? fmt::format(", about {:.0f} s left", left)
                            : fmt::format(", about {:.0f} min left", left / 60));
}

}  // namespace lanescope::shell
