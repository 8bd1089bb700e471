// The port of a cluster of multiprocessors to the memory: an in-order queue whose head waits until its
// partition has room. Without the assumption ClusterQueue there is a queue for each partition. Tests:
// tests/unit/model/timing_test.cpp

#pragma once

#include "model/partition_queue.h"

#include <cstdint>
#include <vector>

namespace lanescope::model {

struct QueuedTransaction {
  Picoseconds issued = 0;
  uint32_t warp = 0;
  uint16_t partition = 0;
  uint8_t bytes = 0;  // 32, 64 or 128
  bool write = false;
};

class ClusterPort {
 public:
  ClusterPort(size_t queues, uint64_t depth) : queues_(queues), depth_(depth) {}

  void push(const QueuedTransaction& transaction) {
    queues_[transaction.partition % queues_.size()].push_back(transaction);
    ++joined_;
  }
  size_t queues() const { return queues_.size(); }
  const QueuedTransaction* head(size_t queue) const {
    return queues_[queue].empty() ? nullptr : &queues_[queue].front();
  }
  void pop(size_t queue) {
    queues_[queue].pop_front();
    ++left_;
  }

  /// Whether all transactions pushed so far are within the depth of the queue, so that their warp may
  /// continue.
  bool accepts_all() const { return joined_ <= left_ + depth_; }
  /// Suspends `warp` until that is true for the transactions pushed so far.
  void wait(uint32_t warp) { waiting_.push_back({joined_, warp}); }
  /// Calls f(warp) for each warp that may continue now.
  template <class F>
  void wake(F&& f) {
    while (!waiting_.empty() && waiting_.front().joined <= left_ + depth_) {
      f(waiting_.front().warp);
      waiting_.pop_front();
    }
  }

  Picoseconds free_at = 0;  // the port sends one transaction per core cycle

 private:
  struct Waiting {
    uint64_t joined = 0;
    uint32_t warp = 0;
  };
  std::vector<Ring<QueuedTransaction>> queues_;
  Ring<Waiting> waiting_;
  uint64_t depth_;
  uint64_t joined_ = 0;
  uint64_t left_ = 0;
};

}  // namespace lanescope::model
