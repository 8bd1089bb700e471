// Copies to shared memory that are under way: cp.async. Method: what a thread copies is read when it says so
// and lands in shared memory when the thread waits for its group, as late as PTX allows, so that a wait that
// is missing shows. Source: PTX ISA, "Data Movement: cp.async, cp.async.wait_group".
// Tests: tests/unit/emulator/async_copy_test.cpp

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace lanescope::emulator {

class AsyncCopies {
 public:
  struct Copy {
    uint32_t to = 0;  // offset in shared memory
    uint32_t size = 0;
    std::array<std::byte, 16> bytes{};
  };

  /// Forgets all; what was not waited for never arrives.
  void begin_block() { threads_.clear(); }

  void add(uint32_t thread, const Copy& copy) {
    Thread& its = of(thread);
    its.pending.push_back({its.groups, copy});
  }
  void commit(uint32_t thread) { ++of(thread).groups; }
  /// Lets all groups but the latest `left` arrive.
  void wait_groups(uint32_t thread, uint32_t left, std::span<std::byte> shared) {
    Thread& its = of(thread);
    if (its.groups > left) finish(its, its.groups - left, shared);
  }
  /// Lets all arrive, also what was not committed to a group.
  void wait_all(uint32_t thread, std::span<std::byte> shared) {
    Thread& its = of(thread);
    finish(its, its.groups + 1, shared);
  }

 private:
  struct Pending {
    uint32_t group;
    Copy copy;
  };
  struct Thread {
    uint32_t groups = 0;  // committed
    std::vector<Pending> pending;
  };

  Thread& of(uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  static void finish(Thread& thread, uint32_t before_group, std::span<std::byte> shared) {
    for (const Pending& pending : thread.pending) {
      if (pending.group >= before_group) continue;
      std::memcpy(shared.data() + pending.copy.to, pending.copy.bytes.data(), pending.copy.size);
    }
    std::erase_if(thread.pending, [&](const Pending& pending) { return pending.group < before_group; });
  }

  std::vector<Thread> threads_;  // [thread of the block], as far as one has copied
};

}  // namespace lanescope::emulator
