// Sequence of the accesses of a block's warp groups to its shared memory, with the block's barriers. Method:
// mostly all blocks have one sequence. If the first accesses of a block were in order (no race, no
// uninitialized read), a later block is in order as long as it repeats them, since the accesses before each
// access are equal. So the check of a repeated access compares a few bytes. The sequence ends before the
// first access that is not one of warp groups, or is not in order. Tests:
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

/// Access of a warp group, or barrier of all warps.
struct GroupEvent {
  static constexpr uint32_t kBarrier = ~uint32_t{0};

  uint32_t step = kBarrier;  // of the program
  int32_t first = 0;         // address of lane 0 of warp 0, which may be below 0 if that lane is not active
  uint32_t spread = 0;       // number of the spread
  uint32_t warps : 8 = 0;
  uint32_t lanes : 24 = 0;  // number of the LaneSet; 0: all lanes of each warp

  bool operator==(const GroupEvent&) const = default;
};
static_assert(sizeof(GroupEvent) == 16);  // many are compared

/// Event of an access; no value if its address or the number of its spread is too large.
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
  /// Ends the block. Later blocks may repeat what is recorded of it: all, or what came before the first other
  /// access, if that is more than is known.
  void end_block() {
    const bool is_more = recorded_.events.size() > known_.events.size();
    if ((state_ == State::IsRecorded && !recorded_.empty()) || is_more) std::swap(known_, recorded_);
  }

  /// True if the block has repeated the known block up to `event`, and repeats it with `event`.
  bool repeats(const GroupEvent& event) const {
    return is_repeated() && repeated_ < known_.events.size() && known_.events[repeated_] == event;
  }
  void note_repeated() { ++repeated_; }
  /// Access of the n-th repeated event, without its number; null for a barrier.
  const ListedAccess* repeated(size_t n) const {
    return known_.events[n].step == GroupEvent::kBarrier ? nullptr : &known_.accesses[n];
  }
  /// True if all events of the block so far were repeated.
  bool is_repeated() const { return state_ == State::Repeats; }
  /// Begins to record the block, from its first event on: its next event is not a repeated one.
  void stop_repeating() {
    if (!is_repeated()) return;
    const auto count = static_cast<std::ptrdiff_t>(repeated_);
    recorded_.events.assign(known_.events.begin(), known_.events.begin() + count);
    recorded_.accesses.assign(known_.accesses.begin(), known_.accesses.begin() + count);
    state_ = State::IsRecorded;
  }

  /// True if everything that the block has done is recorded.
  bool is_recorded() const { return state_ == State::IsRecorded; }
  /// Records the next event. is_recorded() was true before it was checked. `access`: ignored for a barrier.
  void record(const GroupEvent& event, const ListedAccess& access) {
    state_ = recorded_.events.size() == kMost ? State::IsOther : State::IsRecorded;
    if (!is_recorded()) return;
    recorded_.events.push_back(event);
    recorded_.accesses.push_back(access);
  }
  /// Drops all events: spreads are about to get other numbers, so events cannot be compared any more.
  void forget() {
    give_up();
    known_ = {};
  }
  /// Stops recording and repeating: the block does something that is no event.
  void give_up() { state_ = State::IsOther; }

 private:
  static constexpr size_t kMost = size_t{1} << 14;
  enum class State : uint8_t { Repeats, IsRecorded, IsOther };
  struct Events {
    std::vector<GroupEvent> events;
    std::vector<ListedAccess> accesses;  // [event]
    bool empty() const { return events.empty(); }
  };

  State state_ = State::IsRecorded;
  size_t repeated_ = 0;  // events of `known_`
  Events known_;
  Events recorded_;
};

}  // namespace lanescope::emulator
