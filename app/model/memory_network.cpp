#include "model/memory_network.h"

#include <algorithm>
#include <cmath>

namespace lanescope::model {

MemoryNetwork::MemoryNetwork(const Device& device, const TimingParameters& parameters,
                             const TimingOptions& options)
    : pieces_(device.partitions),
      linear_(options.assumptions.holds(Assumption::LinearMap)),
      port_cycle_(static_cast<Picoseconds>(1e12 / parameters.core_hertz)),
      latency_(
          options.assumptions.holds(Assumption::Latency)
              ? static_cast<Picoseconds>(parameters.latency_shader_cycles * 1e12 / parameters.shader_hertz)
              : 0),
      bus_picoseconds_per_byte_(1e12 * pieces_.count() / *device.memory_bytes_per_second),
      window_seconds_(options.window_seconds),
      windows_(pieces_.count(), std::llround(options.window_seconds * 1e12)),
      served_(pieces_.count()) {
  const Assumptions& assumptions = options.assumptions;
  const double write_port = assumptions.holds(Assumption::WritePort)
                                ? 1e12 / parameters.core_hertz / parameters.write_port_bytes_per_core_cycle
                                : 0;
  const size_t credits = assumptions.holds(Assumption::Credits) ? parameters.partition_credits
                                                                : std::numeric_limits<size_t>::max();
  for (uint32_t n = 0; n < pieces_.count(); ++n)
    queues_.emplace_back(credits, bus_picoseconds_per_byte_, write_port);
  const size_t queues = assumptions.holds(Assumption::ClusterQueue) ? 1 : pieces_.count();
  for (uint32_t n = 0; n < parameters.clusters; ++n) ports_.emplace_back(queues, parameters.cluster_queue);
  for (uint32_t port = 0; port < ports_.size(); ++port)
    for (uint32_t queue = 0; queue < queues; ++queue) places_.push_back({port, queue});
  times_.assign(partitions() + places_.size(), kNever);
  parked_.assign(places_.size(), 0);
  lines_.resize(pieces_.count());
}

/// The repeated quotients of the piece's number by the count, XORed: every digit matters.
uint32_t MemoryNetwork::hashed(uint64_t piece) const {
  if (pieces_.count() == 1) return 0;
  uint64_t folded = 0;
  for (uint64_t rest = piece; rest != 0; rest /= pieces_.count()) folded ^= rest;
  return static_cast<uint32_t>(folded % pieces_.count());
}

bool MemoryNetwork::accept(uint32_t cluster, uint32_t warp, Picoseconds now) {
  look_at_heads(cluster, now);
  next_is_known_ = false;
  if (ports_[cluster].accepts_all()) return true;
  ports_[cluster].wait(warp);
  return false;
}

/// The heads of a port's queues may move as soon as the port is free.
void MemoryNetwork::look_at_heads(size_t port, Picoseconds now) {
  const size_t queues = ports_[port].queues();
  for (size_t queue = 0; queue < queues; ++queue) {
    const size_t at = port * queues + queue;
    if (parked_[at] != 0) continue;
    ready_at(at) = ports_[port].head(queue) == nullptr ? kNever : std::max(now, ports_[port].free_at);
  }
}

void MemoryNetwork::find_next() {
  size_t next = 0;
  Picoseconds soonest = kNever;
  for (size_t n = 0; n < times_.size(); ++n) {
    const bool sooner = times_[n] < soonest;
    next = sooner ? n : next;
    soonest = sooner ? times_[n] : soonest;
  }
  next_ = next;
  next_time_ = soonest;
  next_is_known_ = true;
}

/// The head of a queue requests room in its partition; if there is none, it waits in line. Returns the queue
/// if it may move.
size_t MemoryNetwork::knock(size_t at, Picoseconds now) {
  const uint32_t partition = ports_[places_[at].port].head(places_[at].queue)->partition;
  const Picoseconds room = queues_[partition].room_at(now, finish_of(partition));
  if (lines_[partition].empty() && room <= now) return at;
  if (lines_[partition].empty()) offer_of(partition) = room;
  lines_[partition].push_back(static_cast<uint32_t>(at));
  parked_[at] = 1;
  ready_at(at) = kNever;
  return kStays;
}

/// The partition has room: the first in line may move.
size_t MemoryNetwork::call(size_t partition) {
  const size_t at = lines_[partition].front();
  lines_[partition].pop_front();
  parked_[at] = 0;
  return at;
}

void MemoryNetwork::call_next(size_t partition, Picoseconds now) {
  const auto number = static_cast<uint32_t>(partition);
  offer_of(partition) =
      lines_[partition].empty() ? kNever : queues_[partition].room_at(now, finish_of(number));
}

QueuedTransaction MemoryNetwork::leave(size_t at, Picoseconds now) {
  const auto [number, queue] = places_[at];
  ClusterPort& port = ports_[number];
  const QueuedTransaction transaction = *port.head(queue);
  port.pop(queue);
  port.free_at = now + port_cycle_;
  look_at_heads(number, now);
  return transaction;
}

/// Returns when a read's transfer ends.
Picoseconds MemoryNetwork::admit(const QueuedTransaction& transaction, Picoseconds now) {
  PartitionQueue& partition = queues_[transaction.partition];
  PartitionTiming& served = served_[transaction.partition];
  const auto finish = finish_of(transaction.partition);
  if (transaction.write) {
    ++served.writes;
    served.written_bytes += transaction.bytes;
    partition.admit_write(now, transaction.bytes, transaction.issued, finish);
    return now;
  }
  ++served.reads;
  served.read_bytes += transaction.bytes;
  const Picoseconds end = partition.admit_read(now, transaction.bytes, finish);
  windows_.add_read(transaction.partition, transaction.issued, end, transaction.bytes);
  return end;
}

void MemoryNetwork::finish(TimingReport& report) {
  Picoseconds end = 0;
  for (uint32_t n = 0; n < queues_.size(); ++n) end = std::max(end, queues_[n].drain(finish_of(n)));
  report.seconds = static_cast<double>(end) * 1e-12;
  report.partitions = served_;
  report.window_seconds = window_seconds_;
  report.windows = windows_.finish();
  const size_t count = served_.size();
  for (size_t at = 0; at < report.windows.size(); ++at)
    report.partitions[at % count].mean_queue += report.windows[at].mean_queue;
  for (PartitionTiming& partition : report.partitions) {
    const uint64_t bytes = partition.read_bytes + partition.written_bytes;
    report.transactions += partition.reads + partition.writes;
    report.bytes_moved += bytes;
    if (end == 0) continue;
    partition.busy_share = static_cast<double>(bytes) * bus_picoseconds_per_byte_ / static_cast<double>(end);
    partition.mean_queue *= window_seconds_ / report.seconds;
  }
}

}  // namespace lanescope::model
