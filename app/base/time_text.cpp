#include "base/time_text.h"

#include "base/number.h"

#include <fmt/format.h>

namespace lanescope {
namespace {

constexpr double kMillisecond = 1e-3, kMicrosecond = 1e-6;

}  // namespace

std::string time_text(double seconds) {
  if (seconds < kMillisecond) return fmt::format("{:.1f} us", seconds / kMicrosecond);
  return seconds < 1 ? fmt::format("{:.1f} ms", seconds / kMillisecond) : fmt::format("{:.2f} s", seconds);
}

std::string time_text(Language language, double seconds) {
  if (seconds < kMillisecond) return decimal(language, seconds / kMicrosecond) + " µs";
  return seconds < 1 ? decimal(language, seconds / kMillisecond) + " ms" : decimal(language, seconds) + " s";
}

}  // namespace lanescope
