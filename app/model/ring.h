// A queue in a ring buffer whose size is a power of two: faster than std::deque for short queues that are
// used millions of times. Tests: tests/unit/model/partition_queue_test.cpp

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace lanescope::model {

template <class T>
class Ring {
 public:
  bool empty() const { return head_ == tail_; }
  size_t size() const { return tail_ - head_; }
  const T& front() const { return places_[head_ & mask_]; }
  const T& back() const { return places_[(tail_ - 1) & mask_]; }
  void pop_front() { ++head_; }
  void push_back(T value) {
    if (size() > mask_) grow();
    places_[tail_++ & mask_] = std::move(value);
  }

 private:
  void grow() {
    std::vector<T> wider(2 * places_.size());
    for (size_t n = head_; n != tail_; ++n) wider[n & (wider.size() - 1)] = std::move(places_[n & mask_]);
    places_ = std::move(wider);
    mask_ = places_.size() - 1;
  }

  std::vector<T> places_ = std::vector<T>(16);
  size_t mask_ = 15;  // of the index
  size_t head_ = 0;   // both only rise; the index is the lower bits
  size_t tail_ = 0;
};

}  // namespace lanescope::model
