// What the groups of a block do to its shared memory, in order, with the block's barriers. Method: mostly all
// blocks do the same. Where one has done nothing else and all of it was in order, the next are in order as
// long as they repeat it: what each access races with, and what was written before it, is the same.
// Tests: tests/unit/emulator/group_sequence_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// An access of a whole group, or a barrier of all warps.
struct GroupEvent {
  static constexpr uint32_t kBarrier = ~uint32_t{0};

  uint32_t step = kBarrier;  // of the program
  uint32_t warps = 0;
  uint64_t first = 0;   // address of lane 0 of warp 0
  uint64_t spread = 0;  // its number
  uint32_t lanes = 0;   // number of their set; 0: all of each warp

  bool operator==(const GroupEvent&) const = default;
};

class GroupSequence {
 public:
  void begin_block() {
    state_ = known_.empty() ? State::IsRecorded : State::Repeats;
    repeated_ = 0;
    recorded_.clear();
  }
  /// All of the block was in order. Where it was recorded, the next blocks may repeat it.
  void end_block() {
    if (state_ == State::IsRecorded && !recorded_.empty()) known_.swap(recorded_);
  }

  /// Whether the block has done just what the known one had done when it did this.
  bool repeats(const GroupEvent& event) const {
    return is_repeated() && repeated_ < known_.size() && known_[repeated_] == event;
  }
  void note_repeated() { ++repeated_; }
  /// Whether everything so far was a repetition.
  bool is_repeated() const { return state_ == State::Repeats; }
  /// What follows is another event: the block is recorded from its beginning.
  void stop_repeating() {
    if (!is_repeated()) return;
    recorded_.assign(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(repeated_));
    state_ = State::IsRecorded;
  }

  /// Whether the block has done nothing but what is recorded.
  bool is_recorded() const { return state_ == State::IsRecorded; }
  /// The next event, until which is_recorded() was true.
  void record(const GroupEvent& event) {
    state_ = recorded_.size() == kMost ? State::IsOther : State::IsRecorded;
    if (is_recorded()) recorded_.push_back(event);
  }
  /// What numbers of spreads mean is about to change: nothing known so far can be compared with what comes.
  void forget() {
    give_up();
    known_.clear();
  }
  /// The block has done something else, or is about to: it is no example.
  void give_up() { state_ = State::IsOther; }

 private:
  static constexpr size_t kMost = size_t{1} << 14;
  enum class State : uint8_t { Repeats, IsRecorded, IsOther };

  State state_ = State::IsRecorded;
  size_t repeated_ = 0;  // of `known_`
  std::vector<GroupEvent> known_;
  std::vector<GroupEvent> recorded_;
};

}  // namespace lanescope::emulator
