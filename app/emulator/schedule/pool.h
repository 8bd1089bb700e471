// Worker threads, and memory of buffers, that outlive a run. Starting threads costs more than running a small
// kernel, so a caller that runs kernels repeatedly keeps one Pool. Tests: tests/unit/emulator/pool_test.cpp

#pragma once

#include "emulator/memory/spare_buffers.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace lanescope::emulator {

class Pool {
 public:
  /// `threads` includes the thread that calls run(); 0 means one per core of this machine. Where a program
  /// can start no threads, as in a page without them, there is only the caller's.
  explicit Pool(unsigned threads = 0);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// Memory of buffers for the runs that use these threads.
  SpareBuffers& spare_buffers() { return spare_buffers_; }

  /// Calls work(0) ... work(workers - 1), work(0) on the calling thread and the others on the pool's, and
  /// returns when all have, or throws what one of them threw. `workers` is at most size(). One run at a time.
  void run(unsigned workers, const std::function<void(unsigned)>& work);
  /// Calls task(0) ... task(count - 1), as many at a time as there are threads. Throws as run() does.
  void for_each(size_t count, const std::function<void(size_t)>& task);

 private:
  void serve(const std::stop_token& stop, unsigned worker);
  void copy(std::byte* to, const std::byte* from, size_t size_bytes, SpareBuffers::Before before);

  SpareBuffers spare_buffers_;
  std::mutex one_run_;
  std::mutex mutex_;
  std::condition_variable_any start_;
  std::condition_variable finished_;
  const std::function<void(unsigned)>* work_ = nullptr;
  uint64_t round_ = 0;
  unsigned workers_ = 0;
  unsigned busy_ = 0;
  std::vector<std::jthread> threads_;  // last: they stop before the rest goes
};

}  // namespace lanescope::emulator
