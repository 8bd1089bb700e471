#include "plot/traffic_map.h"

#include "plot/axis.h"
#include "plot/heat_map.h"
#include "plot/wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr float kLeastColumn = 2;  // points
constexpr double kFine = 256;      // steps of the scale

size_t partitions_of(const TrafficMap& map) { return std::max<size_t>(1, map.report.partitions.size()); }
size_t windows_of(const TrafficMap& map) { return map.report.windows.size() / partitions_of(map); }

/// Windows that share a column, and how many columns that makes.
struct Columns {
  size_t each = 1;
  size_t count = 0;
};
Columns columns_of(const TrafficMap& map, float width) {
  const size_t windows = windows_of(map);
  const auto room = static_cast<size_t>(std::max(1.0f, width / kLeastColumn));
  const size_t each = std::max<size_t>(1, (windows + room - 1) / room);
  return {each, (windows + each - 1) / each};
}

double value_of(const TrafficMap& map, const model::TrafficWindow& window) {
  if (map.quantity == Quantity::Queue) return window.mean_queue;
  const uint64_t bytes = map.quantity == Quantity::Read ? window.read_bytes : window.written_bytes;
  return static_cast<double>(bytes) / (map.bus_bytes_per_second * map.report.window_seconds);
}

double value_in(const TrafficMap& map, const Columns& columns, size_t column, size_t partition) {
  const size_t first = column * columns.each;
  const size_t end = std::min(first + columns.each, windows_of(map));
  double sum = 0;
  for (size_t n = first; n < end; ++n)
    sum += value_of(map, map.report.windows[n * partitions_of(map) + partition]);
  return first == end ? 0 : sum / static_cast<double>(end - first);
}

/// "20 to 24 µs: 3.1 of 8 partitions effective, 41 % at the busiest"
std::string tip_of(const TrafficMap& map, const Columns& columns, size_t column) {
  const size_t partitions = partitions_of(map);
  const size_t first = column * columns.each;
  const size_t end = std::min(first + columns.each, windows_of(map));
  const std::span<const model::TrafficWindow> windows(map.report.windows);
  const model::Traffic traffic = map.quantity == Quantity::Queue  ? model::Traffic::Both
                                 : map.quantity == Quantity::Read ? model::Traffic::Read
                                                                  : model::Traffic::Written;
  const model::Imbalance imbalance = model::imbalance_of(
      windows.subspan(first * partitions, (end - first) * partitions), partitions, traffic);
  const auto microseconds = [&](size_t window) {
    return fmt::format("{:.0f}", static_cast<double>(window) * map.report.window_seconds * 1e6);
  };
  return phrase(map.language, Text::figure_traffic_tip, microseconds(first), microseconds(end),
                decimal(map.language, imbalance.effective), partitions,
                percent(map.language, imbalance.busiest_share));
}

}  // namespace

double largest_value(const TrafficMap& map, float width) {
  const Columns columns = columns_of(map, width);
  double largest = 0;
  for (size_t column = 0; column < columns.count; ++column)
    for (size_t partition = 0; partition < map.report.partitions.size(); ++partition)
      largest = std::max(largest, value_in(map, columns, column, partition));
  return largest;
}

void add_traffic_map(Sheet& sheet, const Box& box, float ticks_at, const TrafficMap& map, double maximum) {
  const auto partitions = static_cast<uint32_t>(map.report.partitions.size());
  const Columns columns = columns_of(map, box.width);
  if (partitions == 0 || columns.count == 0 || box.height <= 0) return;
  std::vector<uint32_t> value;
  value.reserve(partitions * columns.count);
  for (uint32_t partition = 0; partition < partitions; ++partition)
    for (size_t column = 0; column < columns.count; ++column)
      value.push_back(
          static_cast<uint32_t>(std::ceil(kFine * value_in(map, columns, column, partition) / maximum)));
  add_heat_map(sheet, box, partitions, static_cast<uint32_t>(columns.count), std::move(value),
               static_cast<uint32_t>(kFine));
  add_ticks_down(
      sheet, {.count = partitions, .start = box.y, .spacing = box.height / static_cast<float>(partitions)},
      ticks_at, "P");
  const float width = box.width / static_cast<float>(columns.count);
  for (size_t column = 0; column < columns.count; ++column) {
    const size_t pick = sheet.add(Pick{.tip = tip_of(map, columns, column)});
    add_hit_area(sheet, {box.x + static_cast<float>(column) * width, box.y, width, box.height}, pick);
  }
}

}  // namespace lanescope::plot
