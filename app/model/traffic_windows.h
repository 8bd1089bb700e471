// Traffic of each partition over windows of time: bytes served and the mean length of its queue. Method: a
// transaction that waits from a to b adds its overlap with each window; complete windows in between are added
// as differences, so that a long wait costs no more than a short one. Tests:
// tests/unit/model/partition_queue_test.cpp

#pragma once

#include "model/partition_queue.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::model {

struct TrafficWindow {
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
  double mean_queue = 0;  // transactions between their issue and the end of their transfer
};

enum class Traffic : uint8_t { Read, Written, Both };
uint64_t bytes_of(const TrafficWindow& window, Traffic traffic);

/// How unevenly the partitions are used, as a mean over the windows with any transfer, weighted by bytes.
struct Imbalance {
  double effective = 0;      // 1 / sum(share^2): effective number of partitions; 0: no transfer
  double busiest_share = 0;  // of the bytes, at the busiest partition of the window
};
/// `windows` is [window][partition].
Imbalance imbalance_of(std::span<const TrafficWindow> windows, size_t partitions, Traffic traffic);

class TrafficWindows {
 public:
  TrafficWindows(uint32_t partitions, Picoseconds window);
  void add_read(uint32_t partition, Picoseconds issued, Picoseconds end, uint32_t bytes);
  void add_write(uint32_t partition, Picoseconds issued, Picoseconds end, uint32_t bytes);
  /// [window][partition], as many windows as the last transfer needs.
  std::vector<TrafficWindow> finish() const;

 private:
  struct Cell {
    uint64_t read_bytes = 0, written_bytes = 0;
    Picoseconds partial = 0;  // waiting within the window
    int64_t entering = 0;     // change of the number that wait through whole windows
  };
  /// Returns the cell in which the transfer ends.
  Cell& add_wait(uint32_t partition, Picoseconds issued, Picoseconds end);

  uint64_t window_of(Picoseconds time) const {
    return static_cast<uint64_t>(static_cast<double>(time) * per_picosecond_);
  }

  uint32_t partitions_;
  Picoseconds window_;
  double
      per_picosecond_;  // windows: multiplication is faster than division and precise enough for a histogram
  std::vector<Cell> cells_;  // [window][partition]
};

}  // namespace lanescope::model
