// One DRAM partition of the timing model: a bounded number of transactions in progress, a port that writes
// pass one at a time, and a bus that serves them in order of arrival. Method: nothing is simulated step by
// step. A read joins the bus when it is admitted, a write when it leaves the port; since the bus serves in
// order, the end of a transfer is known when it joins. MODEL: rows and banks of the DRAM, bus turnaround and
// refresh are not modelled. Tests: tests/unit/model/partition_queue_test.cpp

#pragma once

#include "model/ring.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace lanescope::model {

/// Time in picoseconds from the start of the kernel.
using Picoseconds = int64_t;

class PartitionQueue {
 public:
  PartitionQueue(size_t credits, double bus_picoseconds_per_byte, double port_picoseconds_per_byte)
      : credits_(credits), bus_(bus_picoseconds_per_byte), port_time_(port_picoseconds_per_byte) {}

  /// When the partition accepts one more, seen from `now`. Calls finish(write, end) as for admit.
  template <class Finish>
  Picoseconds room_at(Picoseconds now, Finish&& finish) {
    advance(now, finish);
    if (under_way() < credits_) return now;
    if (ends_.empty()) advance(port_.front().through, finish);
    return ends_.front();
  }

  /// Accepts a read at `now`; returns the end of its transfer.
  template <class Finish>
  Picoseconds admit_read(Picoseconds now, uint32_t bytes, Finish&& finish) {
    advance(now, finish);
    return join(now, bytes);
  }

  /// Accepts a write at `now`. finish(write, end) is called when its transfer time is known.
  template <class Finish>
  void admit_write(Picoseconds now, uint32_t bytes, Picoseconds issued, Finish&& finish) {
    advance(now, finish);
    port_free_ = std::max(now, port_free_) + port_time_.of(bytes);
    port_.push_back({port_free_, issued, bytes});
  }

  /// Lets all writes through; returns the end of the last transfer.
  template <class Finish>
  Picoseconds drain(Finish&& finish) {
    if (!port_.empty()) advance(port_.back().through, finish);
    return bus_free_;
  }

  struct Write {
    Picoseconds through = 0;  // leaves the port
    Picoseconds issued = 0;
    uint32_t bytes = 0;
  };

 private:
  /// The time of a transfer: computed once for 32, 64, 96 and 128 bytes.
  class TransferTime {
   public:
    explicit TransferTime(double picoseconds_per_byte) {
      for (size_t n = 0; n < times_.size(); ++n)
        times_[n] = std::llround(32.0 * static_cast<double>(n) * picoseconds_per_byte);
    }
    Picoseconds of(uint32_t bytes) const { return times_[bytes / 32]; }

   private:
    std::array<Picoseconds, 5> times_{};
  };
  size_t under_way() const { return port_.size() + ends_.size(); }

  template <class Finish>
  void advance(Picoseconds now, Finish&& finish) {
    while (!port_.empty() && port_.front().through <= now) {
      const Write write = port_.front();
      port_.pop_front();
      finish(write, join(write.through, write.bytes));
    }
    while (!ends_.empty() && ends_.front() <= now) ends_.pop_front();
  }
  Picoseconds join(Picoseconds now, uint32_t bytes) {
    bus_free_ = std::max(now, bus_free_) + bus_.of(bytes);
    ends_.push_back(bus_free_);
    return bus_free_;
  }

  size_t credits_;
  TransferTime bus_;
  TransferTime port_time_;
  Ring<Write> port_;        // writes that wait for the port or pass it
  Ring<Picoseconds> ends_;  // of transfers, rising
  Picoseconds port_free_ = 0;
  Picoseconds bus_free_ = 0;
};

}  // namespace lanescope::model
