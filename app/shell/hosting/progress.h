// Says on standard error how far a long piece of work is: on a terminal every second in one line, elsewhere a
// line now and then. Nothing in the first moments. With blocks to count it estimates the rest, and Ctrl-C
// says how many were reached before the program ends. Method: Ctrl-C (SIGINT) is blocked for this thread and
// those that it starts afterwards, and read from a file descriptor. Tests: tests/cli/progress_test.cpp

#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
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
  void watch();
  [[noreturn]] void interrupt();

  std::atomic<uint64_t> finished_{0};
  mutable std::mutex mutex_;  // of the three below
  std::string what_;
  uint64_t blocks_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  sigset_t mask_before_{};
  int interrupts_ = -1;  // a descriptor that is readable after Ctrl-C
  int end_ = -1;         // one that is readable at the end of the work
  bool is_shown_ = false;
  std::thread thread_;
};

}  // namespace lanescope::shell
