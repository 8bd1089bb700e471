// Says on standard error how far a long piece of work is: on a terminal every second in one line, elsewhere a
// line now and then. Nothing in the first moments. Tests: tests/cli/remote_test.cpp

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace lanescope::shell {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step of the work: `what` it is (empty: the run alone), and how many blocks it has; 0: it has
  /// none to count.
  void begin(std::string what, uint64_t blocks);
  /// Counts the blocks of the step.
  std::atomic<uint64_t>& finished() { return finished_; }

 private:
  std::string text() const;

  std::atomic<uint64_t> finished_{0};
  mutable std::mutex mutex_;  // of the two below
  std::string what_;
  uint64_t blocks_ = 0;
  std::jthread thread_;
};

}  // namespace lanescope::shell
