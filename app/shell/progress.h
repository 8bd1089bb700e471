// Shows the progress of a long run on the terminal: not in the first second, and only if standard error is a
// terminal.

#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace lanescope::shell {

class Progress {
 public:
  /// `blocks`: how many there are. Shows finished() on standard error until it goes, if that is a terminal.
  explicit Progress(uint64_t blocks);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::atomic<uint64_t>& finished() { return finished_; }

 private:
  std::atomic<uint64_t> finished_{0};
  std::jthread thread_;
};

}  // namespace lanescope::shell
