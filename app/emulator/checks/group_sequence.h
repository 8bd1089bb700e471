// What the groups of a block do to its shared memory, in order, with the block's barriers. Method: mostly all
// blocks do the same. Where one has done nothing else and all of it was in order, the next are in order as
// long as they repeat it: what each access races with, and what was written before it, is the same. So an
// access that repeats another is a comparison of a few bytes. Tests:
// tests/unit/emulator/group_sequence_test.cpp

#pragma once

#include "emulator/checks/listed_access.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// An access of a whole group, or a barrier of all warps.
struct GroupEvent {
  static constexpr uint32_t kBarrier = ~uint32_t{0};

  uint32_t step = kBarrier;  // of the program
  int32_t first = 0;         // address of lane 0 of warp 0, which may be below 0 if that takes no part
  uint32_t spread = 0;       // its number
  uint32_t warps : 8 = 0;
  uint32_t lanes : 24 = 0;  // number of their set; 0: all of each warp

  bool operator==(const GroupEvent&) const = default;
};
static_assert(sizeof(GroupEvent) == 16);  // many are compared

/// No value where a number is too large.
inline std::optional<GroupEvent> event_of(const ListedAccess& access) {
  const auto first = static_cast<int32_t>(access.first);
  if (static_cast<int64_t>(access.first) != first ||
      access.spread->number > std::numeric_limits<uint32_t>::max())
    return std::nullopt;
  return GroupEvent{access.step, first, static_cast<uint32_t>(access.spread->number), access.warps & 0xff,
                    (access.lanes == nullptr ? 0 : access.lanes->number) & 0xffffff};
}

class GroupSequence {
 public:
  void begin_block() {
    state_ = known_.empty() ? State::IsRecorded : State::Repeats;
    repeated_ = 0;
    recorded_.events.clear();
    recorded_.accesses.clear();
  }
  /// All of the block was in order. Where it was recorded, the next blocks may repeat it.
  void end_block() {
    if (state_ == State::IsRecorded && !recorded_.empty()) std::swap(known_, recorded_);
  }

  /// Whether the block has done just what the known one had done when it did this.
  bool repeats(const GroupEvent& event) const {
    return is_repeated() && repeated_ < known_.events.size() && known_.events[repeated_] == event;
  }
  void note_repeated() { ++repeated_; }
  /// The n-th of the events that it has repeated: the access, without its number; null for a barrier.
  const ListedAccess* repeated(size_t n) const {
    return known_.events[n].step == GroupEvent::kBarrier ? nullptr : &known_.accesses[n];
  }
  /// Whether everything so far was a repetition.
  bool is_repeated() const { return state_ == State::Repeats; }
  /// What follows is another event: the block is recorded from its beginning.
  void stop_repeating() {
    if (!is_repeated()) return;
    const auto count = static_cast<std::ptrdiff_t>(repeated_);
    recorded_.events.assign(known_.events.begin(), known_.events.begin() + count);
    recorded_.accesses.assign(known_.accesses.begin(), known_.accesses.begin() + count);
    state_ = State::IsRecorded;
  }

  /// Whether the block has done nothing but what is recorded.
  bool is_recorded() const { return state_ == State::IsRecorded; }
  /// The next event, until which is_recorded() was true. `access`: for a barrier any.
  void record(const GroupEvent& event, const ListedAccess& access) {
    state_ = recorded_.events.size() == kMost ? State::IsOther : State::IsRecorded;
    if (!is_recorded()) return;
    recorded_.events.push_back(event);
    recorded_.accesses.push_back(access);
  }
  /// What numbers of spreads mean is about to change: nothing known so far can be compared with what comes.
  void forget() {
    give_up();
    known_ = {};
  }
  /// The block has done something else, or is about to: it is no example.
  void give_up() { state_ = State::IsOther; }

 private:
  static constexpr size_t kMost = size_t{1} << 14;
  enum class State : uint8_t { Repeats, IsRecorded, IsOther };
  struct Events {
    std::vector<GroupEvent> events;
    std::vector<ListedAccess> accesses;  // the same
    bool empty() const { return events.empty(); }
  };

  State state_ = State::IsRecorded;
  size_t repeated_ = 0;  // of `known_`
  Events known_;
  Events recorded_;
};

}  // namespace lanescope::emulator
