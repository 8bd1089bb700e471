#include "emulator/schedule/pool.h"

#include <algorithm>
#include <exception>

namespace lanescope::emulator {

Pool::Pool(unsigned threads)
    : spare_buffers_([this](std::byte* begin, size_t size_bytes) { touch(begin, size_bytes); }) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned worker = 1; worker < threads; ++worker)
    threads_.emplace_back([this, worker](const std::stop_token& stop) { serve(stop, worker); });
}

Pool::~Pool() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void Pool::serve(const std::stop_token& stop, unsigned worker) {
  uint64_t served = 0;
  std::unique_lock lock(mutex_);
  while (start_.wait(lock, stop, [&] { return round_ != served; })) {
    served = round_;
    if (worker >= workers_) continue;
    const std::function<void(unsigned)>& work = *work_;
    lock.unlock();
    work(worker);
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

/// Each thread has a part of the pages, of which there are enough for it to be worth its while.
void Pool::touch(std::byte* begin, size_t size_bytes) {
  constexpr size_t kPage = 4096;
  constexpr size_t kWorthIt = size_t{16} << 20;
  if (size() == 1 || size_bytes < kWorthIt) return;
  const size_t part = (size_bytes / size() / kPage + 1) * kPage;
  run(size(), [&](unsigned worker) {
    for (size_t at = worker * part; at < std::min(size_bytes, (worker + 1) * part); at += kPage)
      *static_cast<volatile std::byte*>(begin + at) = std::byte{0};
  });
}

void Pool::run(unsigned workers, const std::function<void(unsigned)>& work) {
  const std::scoped_lock one_run(one_run_);
  workers = std::clamp(workers, 1u, size());
  std::exception_ptr thrown;
  const std::function<void(unsigned)> guarded = [&](unsigned worker) {
    try {
      work(worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!thrown) thrown = std::current_exception();
    }
  };
  if (workers > 1) {
    {
      const std::scoped_lock lock(mutex_);
      work_ = &guarded;
      workers_ = workers;
      busy_ = workers - 1;
      ++round_;
    }
    start_.notify_all();
  }
  guarded(0);
  {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return busy_ == 0; });
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace lanescope::emulator
