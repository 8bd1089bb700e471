// The slice of the L2 that serves each granule of a page, measured on a GPU, the rule that the slices follow,
// and the cost of reading one pair of slices alone: a recording in assets/recordings/slices, made by
// `lanescope slices`. The physical address of the page is unknown; offsets are within the page.
// Tests: tests/unit/recordings/slice_recording_test.cpp

#pragma once

#include "base/error.h"
#include "gpu/description.h"
#include "model/slice_fit.h"
#include "plot/figures.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::recordings {

struct SliceRecording {
  gpu::Description gpu;  // without what follows cuda
  std::string date;
  std::vector<model::Slice> page;  // [granule of 256 bytes] of the page that was measured first
  model::LearntPage rule;          // under which every granule of it agrees
  uint32_t other_granules = 0;     // of a page of another allocation, all measured
  uint32_t other_agreeing = 0;     // of those, with the rule at one base
  uint32_t fitted_pages = 0;       // of the buffer that was read, from some granules each
  uint32_t unfitted_pages = 0;     // left out
  plot::CampedReads l2, dram;
};

/// The slice of an offset, which is taken modulo the size of the measured page.
model::Slice slice_of(const SliceRecording& recording, uint32_t offset);

/// The times and their provenance, for the figure.
plot::Camping camping_of(const SliceRecording& recording);

/// Errors: File; Syntax where the file is no such recording, with what was expected.
Result<SliceRecording> read_slices(const std::filesystem::path& file);
Result<SliceRecording> parse_slices(std::string_view text, const std::string& name);
std::string slices_text(const SliceRecording& recording);

}  // namespace lanescope::recordings
