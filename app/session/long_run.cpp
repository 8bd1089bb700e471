#include "session/long_run.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace lanescope::session {
namespace {

/// Blocks that ended in a shorter time say little: the first ones find cold caches.
constexpr double kSecondsUntilEstimate = 1.5;
constexpr double kSecondsUntilLate = 0.2;
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

double RunProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began.load()).count();
}

std::optional<double> RunProgress::estimate() const {
  const uint64_t done = finished_blocks, all = blocks;
  if (done == 0 || all == 0) return {};
  return seconds() * static_cast<double>(all) / static_cast<double>(std::min(done, all));
}

uint64_t bytes_of(const launch::Launch& launch) {
  uint64_t bytes = 0;
  for (const launch::Buffer& buffer : launch.buffers) {
    uint64_t its = launch::size_bytes(buffer.type);
    for (const uint64_t extent : buffer.shape) its *= extent;
    bytes += its;
  }
  return bytes;
}

RunWatch::RunWatch(std::stop_token stop, std::shared_ptr<RunProgress> progress,
                   std::optional<pipeline::RunLimits> limits)
    : limits_(limits),
      progress_(std::move(progress)),
      forward_(std::move(stop), [this] { stop_.request_stop(); }) {
  progress_->blocks = 0;
  progress_->finished_blocks = 0;
  progress_->began = std::chrono::steady_clock::now();
  if (limits_) thread_ = std::jthread([this](const std::stop_token& end) { watch(end); });
}

RunWatch::~RunWatch() = default;

Result<void> RunWatch::admit(const launch::Launch& launch) {
  const uint64_t bytes = bytes_of(launch);
  if (!limits_ || bytes <= limits_->bytes) return {};
  const std::lock_guard lock(mutex_);
  question_ = LongRun{.bytes = bytes};
  return fail(ErrorKind::Cancelled, "the run was not made: it takes much memory");
}

pipeline::RunOptions RunWatch::watched(pipeline::RunOptions options) const {
  options.stop = stop_.get_token();
  options.finished_blocks = &progress_->finished_blocks;
  return options;
}

void RunWatch::begin(const launch::Launch& launch) {
  progress_->finished_blocks = 0;
  progress_->began = std::chrono::steady_clock::now();
  progress_->blocks = volume(launch.grid);
}

void RunWatch::when_late(std::function<void()> tell) {
  const std::lock_guard lock(mutex_);
  when_late_ = std::move(tell);
}

void RunWatch::tell_if_late(double waited_seconds) {
  if (waited_seconds <= kSecondsUntilLate) return;
  std::function<void()> tell;
  {
    const std::lock_guard lock(mutex_);
    tell = std::exchange(when_late_, nullptr);
  }
  if (tell) tell();
}

std::optional<LongRun> RunWatch::question() const {
  const std::lock_guard lock(mutex_);
  return question_;
}

void RunWatch::watch(const std::stop_token& end) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, end, kInterval, [&] { return end.stop_requested(); })) {
    const double waited = progress_->seconds();
    tell_if_late(waited);
    const auto whole = progress_->estimate();
    const bool is_stuck =
        progress_->finished_blocks == 0 && progress_->blocks > 0 && waited > limits_->seconds;
    const bool is_long = whole && waited >= kSecondsUntilEstimate && *whole > limits_->seconds;
    if (!is_stuck && !is_long) continue;
    {
      const std::lock_guard guard(mutex_);
      question_ = is_long ? LongRun{.seconds = whole} : LongRun{.waited = waited};
    }
    stop_.request_stop();
    return;
  }
}

}  // namespace lanescope::session
