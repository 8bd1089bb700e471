// The event queue of the timing model: a calendar queue. Method: a ring of 4096 buckets of one nanosecond,
// with a bit for each non-empty bucket; later events wait in a heap. No event is pushed before the last one
// taken, so the ring only moves forward. A bucket has few events and is searched for the earliest; of two
// events at the same time, the first pushed is taken first. Tests: tests/unit/model/event_queue_test.cpp

#pragma once

#include "model/partition_queue.h"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace lanescope::model {

inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

class EventQueue {
 public:
  /// `time` is not before the last event taken.
  void push(Picoseconds time, uint32_t what) {
    const Event event{time, order_++, what};
    if (day_of(time) - today_ >= kDays) {
      later_.push(event);
    } else {
      const size_t place = place_of(day_of(time));
      days_[place].push_back(event);
      busy_[place / 64] |= uint64_t{1} << place % 64;
    }
    if (time < next_time_) found_ = false;
  }

  /// When the next event is due, or kNever.
  Picoseconds next_time() {
    if (!found_) find_next();
    return next_time_;
  }

  /// Takes the next event; there must be one.
  uint32_t pop() {
    if (!found_) find_next();
    found_ = false;
    today_ = day_of(next_time_);
    if (next_is_later_) {
      const uint32_t what = later_.top().what;
      later_.pop();
      next_time_ = kNever;
      return what;
    }
    const size_t place = place_of(today_);
    std::vector<Event>& day = days_[place];
    const uint32_t what = day[next_in_day_].what;
    day[next_in_day_] = day.back();
    day.pop_back();
    if (day.empty()) busy_[place / 64] &= ~(uint64_t{1} << place % 64);
    next_time_ = kNever;
    return what;
  }

 private:
  struct Event {
    Picoseconds time = 0;
    uint32_t order = 0;
    uint32_t what = 0;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  static constexpr size_t kDays = 4096;
  static size_t place_of(uint64_t day) { return static_cast<size_t>(day % kDays); }
  static uint64_t day_of(Picoseconds time) { return static_cast<uint64_t>(time) >> 10; }

  void find_next() {
    found_ = true;
    next_time_ = kNever;
    next_is_later_ = false;
    Event next{.time = kNever};
    if (const size_t place = first_busy_day(); place != kDays) {
      const std::vector<Event>& day = days_[place];
      for (size_t n = 0; n < day.size(); ++n) {
        if (n != 0 && !(next > day[n])) continue;
        next = day[n];
        next_in_day_ = n;
      }
    }
    if (!later_.empty() && next > later_.top()) {
      next = later_.top();
      next_is_later_ = true;
    }
    next_time_ = next.time;
  }

  /// The first day from today on that has an event, as an index into the ring, or kDays.
  size_t first_busy_day() const {
    const size_t today = place_of(today_);
    size_t word = today / 64;
    uint64_t bits = busy_[word] & ~uint64_t{0} << today % 64;
    for (size_t n = 0; n <= busy_.size(); ++n) {
      if (bits != 0) return word * 64 + static_cast<size_t>(std::countr_zero(bits));
      word = (word + 1) % busy_.size();
      bits = busy_[word];
    }
    return kDays;
  }

  std::vector<std::vector<Event>> days_ = std::vector<std::vector<Event>>(kDays);
  std::array<uint64_t, kDays / 64> busy_{};
  std::priority_queue<Event, std::vector<Event>, std::greater<>> later_;
  uint64_t today_ = 0;
  uint32_t order_ = 0;
  // The result of find_next().
  bool found_ = true;
  bool next_is_later_ = false;
  size_t next_in_day_ = 0;
  Picoseconds next_time_ = kNever;
};

}  // namespace lanescope::model
