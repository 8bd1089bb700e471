// How long work will still take, for lines of progress. Tests: tests/unit/shell/estimate_test.cpp

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace lanescope::shell {

/// ", about 40 s left", of work that goes on as it went; empty in the first two seconds and at the end.
inline std::string estimate(uint64_t finished, uint64_t all, std::chrono::duration<double> elapsed) {
  if (finished == 0 || finished >= all || elapsed.count() < 2) return {};
  const double left = elapsed.count() / static_cast<double>(finished) * static_cast<double>(all - finished);
  if (left < 100) return fmt::format(", about {:.0f} s left", left);
  return fmt::format(", about {:.0f} min left", left / 60);
}

}  // namespace lanescope::shell
