// The values of a buffer with rows and columns, as levels of gray: an image as it is, other numbers between
// their lowest and their highest. Made by pipeline/value_maps.h.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::model {

struct ValueMap {
  enum class Time : uint8_t { Before, After };  // the launch

  std::string buffer;
  Time time = Time::After;
  uint32_t rows = 0, columns = 0;
  std::vector<uint32_t> level;  // [row][column]: 1 for the lowest to kLevels; 0: no number
  double lowest = 0, highest = 0;
  static constexpr uint32_t kLevels = 256;
};

}  // namespace lanescope::model
