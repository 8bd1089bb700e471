// The network from the clusters to the partitions in the timing model: the ports of the clusters, the waiting
// lines of full partitions, the partitions, and their traffic. Method: next_time() returns when the next
// transaction moves, step() moves it and notifies the warps through two functions. Tests:
// tests/unit/model/timing_test.cpp

#pragma once

#include "model/cluster_port.h"
#include "model/device.h"
#include "model/event_queue.h"
#include "model/partition_queue.h"
#include "model/partitions.h"
#include "model/timing.h"
#include "model/traffic_windows.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lanescope::model {

class MemoryNetwork {
 public:
  MemoryNetwork(const Device& device, const TimingParameters& parameters, const TimingOptions& options);

  uint32_t partition_at(uint64_t address) const {
    const uint64_t piece = pieces_.piece_at(trace::offset_of(address));
    return linear_ ? pieces_.partition_of(piece) : hashed(piece);
  }
  void push(uint32_t cluster, const QueuedTransaction& transaction) { ports_[cluster].push(transaction); }
  /// After the last push of an access. Returns whether its warp may continue; if not, step() resumes it.
  bool accept(uint32_t cluster, uint32_t warp, Picoseconds now);

  /// When the next transaction moves, or kNever.
  Picoseconds next_time() {
    if (!next_is_known_) find_next();
    return next_time_;
  }
  /// Moves the transaction that next_time() found; nothing may have been pushed since. Calls returns(warp,
  /// time) for a read whose data arrives at `time`, and goes_on(warp, now) for a warp whose transactions the
  /// port has accepted.
  template <class Returns, class GoesOn>
  void step(Returns&& returns, GoesOn&& goes_on) {
    const Picoseconds time = next_time_;
    const size_t partition = next_;  // if it is one
    const bool offered = partition < partitions();
    next_is_known_ = false;
    const size_t at = offered ? call(partition) : knock(next_ - partitions(), time);
    if (at == kStays) return;
    const size_t port = places_[at].port;
    const Picoseconds now = std::max(time, ports_[port].free_at);
    const QueuedTransaction moved = leave(at, now);
    const Picoseconds end = admit(moved, now);
    if (!moved.write) returns(moved.warp, end + latency_);
    if (offered) call_next(partition, time);
    ports_[port].wake([&](uint32_t warp) { goes_on(warp, now); });
  }

  /// Drains the partitions and fills their part of the report.
  void finish(TimingReport& report);

 private:
  struct Place {
    uint32_t port = 0, queue = 0;
  };
  static constexpr size_t kStays = std::numeric_limits<size_t>::max();

  /// The next queue head that moves: the first in line for a partition, or that of a free port.
  void find_next();
  size_t knock(size_t at, Picoseconds now);
  size_t call(size_t partition);
  void call_next(size_t partition, Picoseconds now);
  QueuedTransaction leave(size_t at, Picoseconds now);
  Picoseconds admit(const QueuedTransaction& transaction, Picoseconds now);
  void look_at_heads(size_t port, Picoseconds now);
  uint32_t hashed(uint64_t piece) const;
  size_t partitions() const { return queues_.size(); }
  /// When there is room for the first in line for a partition.
  Picoseconds& offer_of(size_t partition) { return times_[partition]; }
  /// When a head may go; never while it is in a line.
  Picoseconds& ready_at(size_t at) { return times_[partitions() + at]; }
  auto finish_of(uint32_t partition) {
    return [this, partition](const PartitionQueue::Write& write, Picoseconds end) {
      windows_.add_write(partition, write.issued, end, write.bytes);
    };
  }

  bool next_is_known_ = false;
  size_t next_ = 0;  // index into times_
  Picoseconds next_time_ = kNever;
  PartitionPieces pieces_;
  bool linear_;
  Picoseconds port_cycle_;
  Picoseconds latency_;
  double bus_picoseconds_per_byte_;
  double window_seconds_;
  TrafficWindows windows_;
  std::vector<PartitionTiming> served_;
  std::vector<PartitionQueue> queues_;
  std::vector<ClusterPort> ports_;
  std::vector<Place> places_;          // [port][queue], as one number: `at`
  std::vector<Picoseconds> times_;     // [partition], then [port][queue]: see offer_of and ready_at
  std::vector<uint8_t> parked_;        // [port][queue]: its head is in a line
  std::vector<Ring<uint32_t>> lines_;  // [partition]: heads that wait for room, as port and queue
};

}  // namespace lanescope::model
