// A run of the timing model as a heat map: partitions down, windows of time along; what a cell shows is a
// queue, or how much of its bus a partition used. Windows narrower than a column share one,
// which shows their mean. Tests: tests/unit/plot/traffic_figure_test.cpp

#pragma once

#include "base/text.h"
#include "model/timing.h"
#include "plot/sheet.h"

#include <cstdint>

namespace lanescope::plot {

enum class Quantity : uint8_t {
  Queue,    // transactions that wait
  Read,     // share of what the bus can move, 1 at most
  Written,  // the same
};

struct TrafficMap {
  const model::TimingReport& report;
  Quantity quantity = Quantity::Queue;
  double bus_bytes_per_second = 0;  // of a partition, for Read and Written
  Language language = Language::English;
};

/// The largest value of a column that would be drawn in `width` points.
double largest_value(const TrafficMap& map, float width);
/// Draws the map into `box`, with the numbers of the partitions to its left where there is room for them
/// (`ticks_at` is their right edge) and a tip for each column. `maximum` takes the top of the scale.
void add_traffic_map(Sheet& sheet, const Box& box, float ticks_at, const TrafficMap& map, double maximum);

}  // namespace lanescope::plot
