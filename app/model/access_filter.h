// Which accesses of a list are shown: words that a person types, as "shared load >4 line 28". Method: each
// word is a condition, and all must hold. Tests: tests/unit/model/access_filter_test.cpp

#pragma once

#include "base/error.h"
#include "model/warp_timeline.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::model {

struct AccessFilter {
  std::optional<trace::Space> space = std::nullopt;  // "shared"
  std::optional<trace::Kind> kind = std::nullopt;    // "load"
  std::optional<int> line = std::nullopt;            // "line 28", or "28"
  std::optional<uint32_t> above =
      std::nullopt;         // ">4", or "over 4": wavefronts of shared memory, sectors of others
  bool has_excess = false;  // "excess": more than the ideal
  bool operator==(const AccessFilter&) const = default;
};

/// Commas and the words of cost units ("wavefronts", "sectors") are left out. Error (Syntax): a word that
/// there is not, with those that there are.
Result<AccessFilter> parse_access_filter(std::string_view text);

/// Wavefronts of an access to shared memory, sectors of others.
uint32_t cost_of(const TimelineEntry& access);
uint32_t ideal_cost_of(const TimelineEntry& access);

bool accepts(const AccessFilter& filter, const TimelineEntry& access);

}  // namespace lanescope::model
