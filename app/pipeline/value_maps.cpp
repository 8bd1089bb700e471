#include "pipeline/value_maps.h"

#include "launch/element.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::pipeline {
namespace {

using model::ValueMap;

std::vector<float> numbers_of(launch::ElementType type, const launch::Bytes& bytes) {
  return launch::with_type(type, [&]<class T>(T) {
    std::vector<float> numbers(bytes.size() / sizeof(T));
    for (size_t n = 0; n < numbers.size(); ++n)
      numbers[n] = static_cast<float>(launch::number_at<T>(bytes.data() + n * sizeof(T)));
    return numbers;
  });
}

ValueMap map_of(const launch::Buffer& buffer, const launch::Bytes& bytes, ValueMap::Time time) {
  ValueMap map{.buffer = buffer.name,
               .time = time,
               .rows = static_cast<uint32_t>(buffer.shape[0]),
               .columns = static_cast<uint32_t>(buffer.shape[1]),
               .level = {}};
  const std::vector<float> numbers = numbers_of(buffer.type, bytes);
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    lowest = std::min(lowest, number);
    highest = std::max(highest, number);
  }
  // Bytes are pixels: black is 0 and white 255, whatever the image has.
  if (buffer.type == launch::ElementType::U8) {
    lowest = 0;
    highest = 255;
  }
  map.lowest = std::isfinite(lowest) ? lowest : 0;
  map.highest = std::isfinite(highest) ? highest : 0;
  const double range = map.highest - map.lowest;
  constexpr double kSteps = ValueMap::kLevels - 1;
  map.level.reserve(numbers.size());
  for (const float number : numbers) {
    const double share = range > 0 ? (number - map.lowest) / range : 1;
    map.level.push_back(std::isfinite(number) ? 1 + static_cast<uint32_t>(std::lround(share * kSteps)) : 0);
  }
  return map;
}

bool is_shown(const launch::Buffer& buffer) {
  return buffer.shape.size() == 2 && buffer.shape[0] * buffer.shape[1] <= kMostMappedElements;
}

}  // namespace

std::vector<ValueMap> value_maps(const Run& run) {
  std::vector<ValueMap> maps;
  for (size_t n = 0; n < run.launch->buffers.size() && n < run.buffers.size(); ++n) {
    const launch::Buffer& buffer = run.launch->buffers[n];
    const launch::Contents& after = run.buffers[n];
    if (!is_shown(buffer) || !after) continue;
    if (buffer.has_contents && buffer.initial)
      maps.push_back(map_of(buffer, *buffer.initial, ValueMap::Time::Before));
    const bool changed = !buffer.has_contents || !buffer.initial || *after != *buffer.initial;
    if (changed) maps.push_back(map_of(buffer, *after, ValueMap::Time::After));
  }
  return maps;
}

}  // namespace lanescope::pipeline
