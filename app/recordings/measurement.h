// Measures a lesson's kernels on a GPU with the current settings, for the measured bars of the window.
// Method: times and counts go into a Recording of this session, and its bars are made like those of a stored
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

/// The total that MeasureRequest::progress counts up to.
size_t measurement_count(const lesson::Lesson& lesson, const lesson::Settings& settings);

/// Adds the times of every kernel to `measured`, and its counts where the GPU's counters can be read. Errors:
/// Usage where the matrix is not square; Cancelled; the GPU's.
Result<void> measure_kernels(gpu::Gpu& gpu, const MeasureRequest& request, pipeline::Execution& execution,
                             KernelKeys& keys, Recording& measured);

}  // namespace lanescope::recordings
