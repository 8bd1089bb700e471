// The way from the clusters to the partitions of the timing model: the ports of the clusters, the lines in
// front of full partitions, the partitions themselves, and what they served. Method: next_time() says when
// the next transaction moves, step() moves it; whoever is told of it (the warps) is given as two functions.
// Tests: tests/unit/model/timing_test.cpp

#pragma once

#include "model/cluster_port.h"
#include "model/device.h"
#include "model/partition_queue.h"
#include "model/timing.h"
#include "model/traffic_windows.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lanescope::model {

inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

class MemoryNetwork {
 public:
  MemoryNetwork(const Device& device, const TimingParameters& parameters, const TimingOptions& options);

  uint32_t partition_at(uint64_t address) const;
  void push(uint32_t cluster, const QueuedTransaction& transaction) { ports_[cluster].push(transaction); }
  /// After the last push of an access. Says whether its warp may go on; if not, step() wakes it.
  bool accept(uint32_t cluster, uint32_t warp, Picoseconds now);

  /// When the next transaction moves, or kNever.
  Picoseconds next_time() {
    next_ = next_to_go();
    return next_.time;
  }
  /// Moves what next_time() found; nothing may have been pushed since. Calls returns(warp, time) for a read
  /// whose data will be there at `time`, and goes_on(warp, now) for a warp whose transactions the port has
  /// taken.
  template <class Returns, class GoesOn>
  void step(Returns&& returns, GoesOn&& goes_on) {
    const Next next = next_;
    const size_t at = next.what == Next::What::Port ? knock(next.index, next.time) : call(next.index);
    if (at == kStays) return;
    const size_t port = at / queues_per_port();
    const Picoseconds now = std::max(next.time, ports_[port].free_at);
    const QueuedTransaction moved = leave(at, now);
    const Picoseconds end = admit(moved, now);
    if (!moved.write) returns(moved.warp, end + latency_);
    if (next.what == Next::What::Partition) call_next(next.index, next.time);
    ports_[port].wake([&](uint32_t warp) { goes_on(warp, now); });
  }

  /// Drains the partitions and fills what the report says of them.
  void finish(TimingReport& report);

 private:
  /// The next head that goes: of a free port, or the first that waits in line for a partition.
  struct Next {
    enum class What : uint8_t { Port, Partition } what = What::Port;
    size_t index = 0;
    Picoseconds time = kNever;
  };
  static constexpr size_t kStays = std::numeric_limits<size_t>::max();

  Next next_to_go() const;
  size_t knock(size_t at, Picoseconds now);
  size_t call(size_t partition);
  void call_next(size_t partition, Picoseconds now);
  QueuedTransaction leave(size_t at, Picoseconds now);
  Picoseconds admit(const QueuedTransaction& transaction, Picoseconds now);
  void look_at_heads(size_t port, Picoseconds now);
  size_t queues_per_port() const { return ports_.front().queues(); }
  auto finish_of(uint32_t partition) {
    return [this, partition](const PartitionQueue::Write& write, Picoseconds end) {
      windows_.add_write(partition, write.issued, end, write.bytes);
    };
  }

  Next next_;
  PartitionMap map_;
  bool linear_;
  Picoseconds port_cycle_;
  Picoseconds latency_;
  double bus_picoseconds_per_byte_;
  double window_seconds_;
  TrafficWindows windows_;
  std::vector<PartitionTiming> served_;
  std::vector<PartitionQueue> queues_;
  std::vector<ClusterPort> ports_;
  std::vector<Picoseconds> ready_;     // [port][queue]: when its head may go; never while it is in a line
  std::vector<uint8_t> parked_;        // [port][queue]: its head is in a line
  std::vector<Ring<uint32_t>> lines_;  // [partition]: heads that wait for room, as port and queue
  std::vector<Picoseconds> offers_;    // [partition]: when there is room for the first in line
};

}  // namespace lanescope::model
