// Asynchronous copies that are under way: cp.async, cp.async.bulk. Method: a cp.async is read when it begins
// and lands in shared memory when the thread waits for its group, as late as PTX allows, so that a missing
// wait shows in the results. A bulk copy moves its data at once; it is kept here for the checks alone, until
// what ends it was waited for. Source: PTX ISA, "Data Movement: cp.async, cp.async.wait_group, cp.async.bulk,
// cp.async.bulk.wait_group". Tests: tests/unit/emulator/async_copy_test.cpp, copy_race_test.cpp

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::emulator {

struct AsyncCopy {
  /// Completion mechanism: a commit group of the thread, a phase of an mbarrier, a bulk group. Copies of the
  /// first two are from global to shared memory, those of the third from shared to global.
  enum class End : uint8_t { Group, Phase, BulkGroup };
  End end = End::Group;
  bool updates = false;         // a bulk reduction
  bool source_is_read = false;  // so that it may be overwritten
  uint32_t step = 0;            // in Program::steps
  uint32_t thread = 0;          // of the block
  uint64_t to = 0;              // an offset in shared memory, or a global address
  uint64_t from = 0;
  uint32_t size = 0;         // bytes that it writes
  uint32_t source_size = 0;  // bytes that it reads
  uint32_t group = 0;        // of the thread, counted from 0
  bool is_in_group = false;  // all but bulk copies that an mbarrier ends
  bool is_awaited = false;   // ended by a wait of its own thread before the phase of its mbarrier did
  uint64_t barrier = 0;      // offset of the mbarrier
  uint32_t phase = 0;        // of the mbarrier when the copy began
  std::array<std::byte, 16> bytes{};

  // For the checks.
  uint32_t stamp = 0;            // of its write
  bool was_read = false;         // while it was under way
  bool replaces_unread = false;  // data of an earlier copy that was under way
};

class AsyncCopies {
 public:
  using End = AsyncCopy::End;
  /// A thread's latest wait for groups.
  struct Wait {
    uint32_t step = 0;    // in Program::steps
    uint32_t left = 0;    // groups that may be under way afterwards
    uint32_t groups = 0;  // that had been committed
  };

  /// Forgets all copies; those that were not waited for never arrive.
  void begin_block() {
    threads_.clear();
    phases_.clear();
  }

  /// Adds the copy to its thread's open group.
  void add(const AsyncCopy& copy) {
    Thread& its = of(copy.thread);
    its.copies.push_back(copy);
    its.copies.back().group = its.groups[is_bulk(copy.end)];
    its.copies.back().is_in_group = true;
  }
  void add_to_phase(const AsyncCopy& copy) {
    phases_[copy.barrier] |= 1u << copy.phase;
    of(copy.thread).phase_copies.push_back(copy);
  }
  void commit(uint32_t thread, End end) { ++of(thread).groups[is_bulk(end)]; }

  /// Calls landed(copy) for the copies of all groups but the latest `left`.
  template <class F>
  void wait_groups(uint32_t thread, End end, uint32_t step, uint32_t left, F&& landed) {
    Thread& its = of(thread);
    const uint32_t groups = its.groups[is_bulk(end)];
    its.waits[is_bulk(end)] = {step, left, groups};
    if (groups > left) take(thread, end, groups - left, landed);
  }
  /// Calls landed(copy) for all of the thread's cp.async, also those that are in no group yet.
  template <class F>
  void wait_all(uint32_t thread, F&& landed) {
    take(thread, End::Group, of(thread).groups[0] + 1, landed);
  }
  /// Removes those of the thread's cp.async that no mbarrier ends, and calls f(copy) for each.
  template <class F>
  void take_open(uint32_t thread, F&& f) {
    take(of(thread).copies, [](const AsyncCopy& copy) { return copy.end == End::Group; }, f);
  }
  /// The sources of all bulk groups but the latest `left` may be overwritten.
  void wait_for_reads(uint32_t thread, uint32_t step, uint32_t left) {
    Thread& its = of(thread);
    its.waits[1] = {step, left, its.groups[1]};
    for (AsyncCopy& copy : its.copies)
      if (copy.end == End::BulkGroup && copy.group + left < its.groups[1]) copy.source_is_read = true;
  }
  /// Calls landed(copy) for the copies that ended with an earlier phase of the mbarrier than its current
  /// `phase`.
  template <class F>
  void end_phases(uint64_t barrier, uint32_t phase, F&& landed) {
    const auto found = phases_.find(barrier);
    if (found == phases_.end() || (found->second & ~(1u << phase)) == 0) return;
    found->second &= 1u << phase;
    const auto has_ended = [&](const AsyncCopy& copy) {
      return copy.barrier == barrier && copy.phase != phase;
    };
    for (Thread& thread : threads_) take(thread.phase_copies, has_ended, landed);
  }

  /// The latest copy of the thread into shared memory that writes to `offset`; null if there is none.
  AsyncCopy* find(uint32_t thread, uint64_t offset) {
    if (thread >= threads_.size()) return nullptr;
    AsyncCopy* found = nullptr;
    const auto look = [&](std::vector<AsyncCopy>& copies) {
      for (AsyncCopy& copy : copies)
        if (copy.end != End::BulkGroup && offset - copy.to < copy.size) found = &copy;
    };
    look(threads_[thread].phase_copies);
    look(threads_[thread].copies);
    return found;
  }
  template <class F>
  void for_each(F&& f) {
    for (Thread& thread : threads_) std::ranges::for_each(thread.copies, f);
    for (Thread& thread : threads_) std::ranges::for_each(thread.phase_copies, f);
  }

  /// Groups that the copy's thread has committed, and its latest wait for them.
  uint32_t groups_of(const AsyncCopy& copy) const { return threads_[copy.thread].groups[is_bulk(copy.end)]; }
  const std::optional<Wait>& wait_of(const AsyncCopy& copy) const {
    return threads_[copy.thread].waits[is_bulk(copy.end)];
  }

 private:
  struct Thread {
    std::array<uint32_t, 2> groups{};          // [is_bulk] committed
    std::array<std::optional<Wait>, 2> waits;  // [is_bulk]
    // In the order in which the copies began. A list for each thread, since a block has many thousands.
    std::vector<AsyncCopy> copies;
    std::vector<AsyncCopy> phase_copies;  // that an mbarrier ends
  };

  static constexpr size_t is_bulk(End end) { return end == End::BulkGroup ? 1 : 0; }
  Thread& of(uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  template <class F>
  void take(uint32_t thread, End end, uint32_t before_group, F&& landed) {
    const auto land = [&](AsyncCopy copy) {
      copy.end = end;
      landed(copy);
    };
    take(
        of(thread).copies,
        [&](const AsyncCopy& copy) { return copy.end == end && copy.group < before_group; }, land);
    if (end == End::BulkGroup) return;
    // Copies with an mbarrier have written already, when they began: accesses after the end of the phase
    // are ordered after that moment, and need not be ordered after this wait.
    take(
        of(thread).phase_copies,
        [&](const AsyncCopy& copy) { return copy.is_in_group && copy.group < before_group; },
        [&](AsyncCopy copy) {
          copy.is_awaited = true;
          landed(copy);
        });
  }
  /// Removes copies, then calls landed() for each, which compares it with the copies still under way.
  template <class Which, class F>
  void take(std::vector<AsyncCopy>& copies, Which&& which, F&& landed) {
    auto kept = std::ranges::find_if(copies, which);
    if (kept == copies.end()) return;
    taken_.clear();
    for (auto copy = kept; copy != copies.end(); ++copy) {
      if (which(*copy))
        taken_.push_back(*copy);
      else
        *kept++ = *copy;
    }
    copies.erase(kept, copies.end());
    std::ranges::for_each(taken_, landed);
  }

  std::vector<Thread> threads_;                    // [thread of the block], as far as one has copied
  std::vector<AsyncCopy> taken_;                   // by take(), while it runs
  std::unordered_map<uint64_t, uint32_t> phases_;  // [offset of the mbarrier] bit n: copies began in phase n
};

}  // namespace lanescope::emulator
