// A lesson's kernels measured on a GPU as its toggles stand: what the window shows as measured bars. Method:
// the times and counts go into a Recording of this session, which the bars are made of like those of a kept
// one. Tests: tests/unit/session/measurement_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "pipeline/execution.h"
#include "recordings/bandwidth.h"

#include <functional>
#include <stop_token>

namespace lanescope::recordings {

struct MeasureRequest {
  const lesson::Lesson& lesson;
  const lesson::Settings& settings;
  const pipeline::Options& options;
  std::stop_token stop;
  std::function<void(size_t done, size_t total)> progress;
};

/// What MeasureRequest::progress will count up to.
size_t measurement_count(const lesson::Lesson& lesson, const lesson::Settings& settings);

/// Adds the times of every kernel to `measured`; its counts too, where the GPU tells them. Errors: Usage
/// where the matrix is not square; Cancelled; the GPU's.
Result<void> measure_kernels(gpu::Gpu& gpu, const MeasureRequest& request, pipeline::Execution& execution,
                             KernelKeys& keys, Recording& measured);

}  // namespace lanescope::recordings
