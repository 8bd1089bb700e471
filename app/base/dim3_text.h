// An extent as people write it, without the ones at its end. Tests: tests/unit/base/dim3_test.cpp

#pragma once

#include "base/dim3.h"

#include <string>
#include <string_view>

namespace lanescope {

/// "32", "32x8", "4x3x2", with `times` between the numbers.
inline std::string extent_text(Dim3 extent, std::string_view times) {
  std::string text = std::to_string(extent.x);
  if (extent.y > 1 || extent.z > 1) text.append(times).append(std::to_string(extent.y));
  if (extent.z > 1) text.append(times).append(std::to_string(extent.z));
  return text;
}

}  // namespace lanescope
