// The values of a run's buffers with rows and columns, before and after: what the panel Values shows. Method:
// a buffer that began with contents is shown as it began; one that the kernel changed also as it ended.
// Tests: tests/unit/pipeline/value_maps_test.cpp

#pragma once

#include "model/value_map.h"
#include "pipeline/run.h"

#include <vector>

namespace lanescope::pipeline {

/// Larger buffers are left out: they have more elements than a screen can show.
inline constexpr uint64_t kMostMappedElements = uint64_t{1} << 22;

std::vector<model::ValueMap> value_maps(const Run& run);

}  // namespace lanescope::pipeline
