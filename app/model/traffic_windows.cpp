#include "model/traffic_windows.h"

#include <algorithm>

namespace lanescope::model {

uint64_t bytes_of(const TrafficWindow& window, Traffic traffic) {
  switch (traffic) {
    case Traffic::Read:
      return window.read_bytes;
    case Traffic::Written:
      return window.written_bytes;
    case Traffic::Both:
      break;
  }
  return window.read_bytes + window.written_bytes;
}

Imbalance imbalance_of(std::span<const TrafficWindow> windows, size_t partitions, Traffic traffic) {
  if (partitions == 0) return {};
  Imbalance mean;
  double all = 0;
  for (size_t first = 0; first + partitions <= windows.size(); first += partitions) {
    double total = 0, squares = 0, busiest = 0;
    for (const TrafficWindow& window : windows.subspan(first, partitions)) {
      const auto bytes = static_cast<double>(bytes_of(window, traffic));
      total += bytes;
      squares += bytes * bytes;
      busiest = std::max(busiest, bytes);
    }
    if (total == 0) continue;
    mean.effective += total * (total * total / squares);
    mean.busiest_share += busiest;
    all += total;
  }
  return all == 0 ? Imbalance{} : Imbalance{mean.effective / all, mean.busiest_share / all};
}

TrafficWindows::TrafficWindows(uint32_t partitions, Picoseconds window)
    : partitions_(partitions), window_(window), per_picosecond_(1.0 / static_cast<double>(window)) {}

TrafficWindows::Cell& TrafficWindows::add_wait(uint32_t partition, Picoseconds issued, Picoseconds end) {
  const uint64_t first = window_of(issued);
  const uint64_t last = window_of(end);
  const auto at = static_cast<size_t>(last * partitions_ + partition);
  if (at >= cells_.size()) cells_.resize(static_cast<size_t>((last + 1) * partitions_));
  Cell& ended = cells_[at];
  if (first == last) {
    ended.partial += end - issued;
    return ended;
  }
  ended.partial += end - static_cast<Picoseconds>(last) * window_;
  ended.entering -= 1;
  Cell* const began = &cells_[static_cast<size_t>(first * partitions_ + partition)];
  began[partitions_].entering += 1;
  began->partial += static_cast<Picoseconds>(first + 1) * window_ - issued;
  return ended;
}

void TrafficWindows::add_read(uint32_t partition, Picoseconds issued, Picoseconds end, uint32_t bytes) {
  add_wait(partition, issued, end).read_bytes += bytes;
}

void TrafficWindows::add_write(uint32_t partition, Picoseconds issued, Picoseconds end, uint32_t bytes) {
  add_wait(partition, issued, end).written_bytes += bytes;
}

std::vector<TrafficWindow> TrafficWindows::finish() const {
  std::vector<TrafficWindow> windows(cells_.size());
  std::vector<int64_t> through(partitions_);
  for (size_t at = 0; at < cells_.size(); ++at) {
    const Cell& cell = cells_[at];
    int64_t& whole = through[at % partitions_];
    whole += cell.entering;
    windows[at] = {
        cell.read_bytes, cell.written_bytes,
        static_cast<double>(whole) + static_cast<double>(cell.partial) / static_cast<double>(window_)};
  }
  return windows;
}

}  // namespace lanescope::model
