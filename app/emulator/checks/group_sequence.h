// The accesses of warp groups to a block's shared memory, in order, with the block's barriers. Method: mostly
// all blocks do the same. If a block has done nothing else and all of it was in order, the next blocks are in
// order as long as they repeat it: each access conflicts with the same accesses and finds the same granules
// written. So an access that repeats another costs a comparison of a few bytes. Tests:
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

/// An access of a whole warp group, or a barrier of all warps.
struct GroupEvent {
  static constexpr uint32_t kBarrier = ~uint32_t{0};

  uint32_t step = kBarrier;  // of the program
  int32_t first = 0;         // address of lane 0 of warp 0, which may be below 0 if that takes no part
  uint32_t spread = 0;       // number of the spread
  uint32_t warps : 8 = 0;
  uint32_t lanes : 24 = 0;  // number of the set of lanes; 0: all lanes of each warp

  bool operator==(const GroupEvent&) const = default;
};
static_assert(sizeof(GroupEvent) == 16);  // many are compared

/// Event of an access; no value where a number is too large.
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
  /// Ends a block. Its recorded events, all of which were in order, may be repeated by the next blocks.
  void end_block() {
    if (state_ == State::IsRecorded && !recorded_.empty()) std::swap(known_, recorded_);
  }

  /// True if the block has repeated the known events up to here, and `event` is the next of them.
  bool repeats(const GroupEvent& event) const {
    return is_repeated() && repeated_ < known_.events.size() && known_.events[repeated_] == event;
  }
  void note_repeated() { ++repeated_; }
  /// Access of the n-th repeated event, without its number; null for a barrier.
  const ListedAccess* repeated(size_t n) const {
    return known_.events[n].step == GroupEvent::kBarrier ? nullptr : &known_.accesses[n];
  }
  /// True if the block has only repeated known events so far.
  bool is_repeated() const { return state_ == State::Repeats; }
  /// Ends the repetition before another event: the block is recorded from its beginning.
  void stop_repeating() {
    if (!is_repeated()) return;
    const auto count = static_cast<std::ptrdiff_t>(repeated_);
    recorded_.events.assign(known_.events.begin(), known_.events.begin() + count);
    recorded_.accesses.assign(known_.accesses.begin(), known_.accesses.begin() + count);
    state_ = State::IsRecorded;
  }

  /// True if all that the block has done is recorded.
  bool is_recorded() const { return state_ == State::IsRecorded; }
  /// Records the next event; is_recorded() was true before it. `access`: any for a barrier.
  void record(const GroupEvent& event, const ListedAccess& access) {
    state_ = recorded_.events.size() == kMost ? State::IsOther : State::IsRecorded;
    if (!is_recorded()) return;
    recorded_.events.push_back(event);
    recorded_.accesses.push_back(access);
  }
  /// Forgets all known events: numbers of spreads are about to change their meaning.
  void forget() {
    give_up();
    known_ = {};
  }
  /// Gives up the block as an example: it does, or is about to do, something that is no event.
  void give_up() { state_ = State::IsOther; }

 private:
  static constexpr size_t kMost = size_t{1} << 14;
  enum class State : uint8_t { Repeats, IsRecorded, IsOther };
  struct Events {
    std::vector<GroupEvent> events;
    std::vector<ListedAccess> accesses;  // [event]; an empty one for a barrier
    bool empty() const { return events.empty(); }
  };

  State state_ = State::IsRecorded;
  size_t repeated_ = 0;  // events of `known_` that the block has repeated
  Events known_;
  Events recorded_;
};

}  // namespace lanescope::emulator
