// Which access of one warp corresponds to an access of another, in a run of another kernel or with other
// settings: the one before which as many of the same operation come. Tests:
// tests/unit/pipeline/matching_access_test.cpp

#pragma once

#include "model/warp_timeline.h"

#include <cstdint>
#include <span>

namespace lanescope::pipeline {

/// Index in `other` of the access that corresponds to access `index` of `one`. Where `other` has fewer of its
/// operation, the last of them; where it has none, the access with the same index, or the last one.
uint32_t matching_access(std::span<const model::TimelineEntry> one, uint32_t index,
                         std::span<const model::TimelineEntry> other);

}  // namespace lanescope::pipeline
