#include "emulator/schedule/pool.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>

namespace lanescope::emulator {
namespace {

// A page without threads has the caller alone.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr bool kHasThreads = false;
#else
constexpr bool kHasThreads = true;
#endif

bool are_zeros(const std::byte* bytes, size_t count) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, SpareBuffers::Before before) {
  constexpr size_t kPage = 4096;
  if (size_bytes == 0) return;  // `to` may be null
  if (from == nullptr) {
    std::memset(to, 0, size_bytes);
    return;
  }
  if (before == SpareBuffers::Before::Anything) {
    std::memcpy(to, from, size_bytes);
    return;
  }
  for (size_t at = 0; at < size_bytes; at += kPage) {
    const size_t bytes = std::min(kPage, size_bytes - at);
    if (!are_zeros(from + at, bytes)) std::memcpy(to + at, from + at, bytes);
  }
}

}  // namespace

Pool::Pool(unsigned threads)
    : spare_buffers_([this](std::byte* to, const std::byte* from, size_t size_bytes,
                            SpareBuffers::Before before) { copy(to, from, size_bytes, before); }) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned worker = 1; kHasThreads && worker < threads; ++worker)
    threads_.emplace_back([this, worker](const std::stop_token& stop) { serve(stop, worker); });
}

Pool::~Pool() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void Pool::for_each(size_t count, const std::function<void(size_t)>& task) {
  std::atomic<size_t> next = 0;
  run(static_cast<unsigned>(std::min<size_t>(size(), count)), [&](unsigned) {
    for (size_t n = next++; n < count; n = next++) task(n);
  });
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

/// Copies on several threads, if there is enough to copy. Fresh pages are then cleared by all of them, too.
void Pool::copy(std::byte* to, const std::byte* from, size_t size_bytes, SpareBuffers::Before before) {
  constexpr size_t kLargePage = size_t{2} << 20;
  const size_t parts = (size_bytes + kLargePage - 1) / kLargePage;
  const size_t workers = std::clamp<size_t>(parts, 1, size());
  if (workers == 1) return copy_bytes(to, from, size_bytes, before);  // needs no turn of the pool
  const size_t part = (parts + workers - 1) / workers * kLargePage;
  run(static_cast<unsigned>(workers), [&](unsigned worker) {
    const size_t begin = std::min(size_bytes, worker * part);
    copy_bytes(to + begin, from == nullptr ? nullptr : from + begin, std::min(size_bytes - begin, part),
               before);
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
