// Pool: every worker is called once per run, on threads that stay.

#include "emulator/schedule/pool.h"

#include <atomic>
#include <new>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

TEST(Pool, for_each_calls_the_task_once_for_each_number) {
  Pool pool(3);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{100}}) {
    std::vector<std::atomic<int>> calls(count);
    pool.for_each(count, [&](size_t n) { ++calls[n]; });
    for (size_t n = 0; n < count; ++n) EXPECT_EQ(calls[n], 1) << n << " of " << count;
  }
}

TEST(Pool, calls_every_worker_once) {
  Pool pool(4);
  EXPECT_EQ(pool.size(), 4u);
  for (unsigned workers = 1; workers <= 4; ++workers) {
    std::vector<std::atomic<int>> calls(4);
    pool.run(workers, [&](unsigned worker) { ++calls[worker]; });
    for (unsigned worker = 0; worker < 4; ++worker) EXPECT_EQ(calls[worker], worker < workers ? 1 : 0);
  }
}

TEST(Pool, an_exception_of_a_worker_is_rethrown_when_all_have_returned) {
  Pool pool(3);
  std::atomic<int> calls = 0;
  for (const unsigned thrower : {0u, 2u}) {
    const auto throw_once = [&](unsigned worker) {
      ++calls;
      if (worker == thrower) throw std::bad_alloc();
    };
    EXPECT_THROW(pool.run(3, throw_once), std::bad_alloc);
  }
  EXPECT_EQ(calls, 6);
  pool.run(3, [&](unsigned) { ++calls; });
  EXPECT_EQ(calls, 9) << "the pool is as it was";
}

TEST(Pool, keeps_its_threads_from_run_to_run) {
  Pool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int round = 0; round < 200; ++round) {
    pool.run(3, [&](unsigned) {
      const std::scoped_lock lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  EXPECT_EQ(threads.size(), 3u);
}

TEST(Pool, runs_of_several_callers_come_one_after_the_other) {
  Pool pool(2);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  const auto use = [&] {
    for (int round = 0; round < 50; ++round) {
      pool.run(2, [&](unsigned worker) {
        if (worker != 0) return;
        most = std::max(most.load(), ++inside);
        --inside;
      });
    }
  };
  std::jthread other(use);
  use();
  other.join();
  EXPECT_EQ(most, 1);
}

TEST(Pool, a_pool_of_one_is_the_caller_itself) {
  Pool pool(1);
  std::thread::id id;
  pool.run(1, [&](unsigned) { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
}

// 5 MiB are copied and cleared by several threads, an odd byte at the end; no bytes may have no address.
TEST(Pool, buffers_that_were_used_before_come_back_as_zeros_or_as_copies) {
  Pool pool(3);
  for (const size_t size_bytes : {size_t{0}, size_t{1}, size_t{4096}, (size_t{5} << 20) + 1}) {
    const launch::Bytes ones(size_bytes, std::byte{1});
    const launch::Bytes none(size_bytes);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(*pool.spare_buffers().zeros(size_bytes), none) << size_bytes;
      EXPECT_EQ(*pool.spare_buffers().copy_of(ones), ones) << size_bytes;
    }
  }
}

TEST(Pool, zeros_that_stayed_zeros_are_not_cleared_again) {
  Pool pool(2);
  SpareBuffers& spare = pool.spare_buffers();
  const std::byte* place = nullptr;
  {
    const auto zeros = spare.zeros(100);
    place = zeros->data();
    SpareBuffers::note_zeros(zeros);
  }
  const std::shared_ptr<launch::Bytes> written = spare.zeros(100);
  EXPECT_EQ(written->data(), place);
  EXPECT_EQ(*written, launch::Bytes(100));
  {
    const auto other = spare.zeros(100);
    SpareBuffers::note_zeros(other);
    written->front() = std::byte{1};
  }
  EXPECT_EQ(spare.copy_of(*written)->front(), std::byte{1}) << "also where zeros were";
  EXPECT_EQ(*spare.zeros(100), launch::Bytes(100)) << "the copy was written, and is cleared";
  SpareBuffers::note_zeros(nullptr);
}

}  // namespace
}  // namespace lanescope::emulator
