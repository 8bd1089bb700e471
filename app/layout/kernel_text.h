// CUDA kernels that make the accesses of the layout lab: what a run, or a GPU, then counts is the proof of
// access.h. Method: one warp fills the tile element by element and makes the access, or the other way round
// for stores; the line of the access ends with the comment "// @access". Afterwards `out` equals `in`. Tests:
// tests/unit/pipeline/layout_run_test.cpp

#pragma once

#include "layout/report.h"

#include <string>

namespace lanescope::layout {

/// "ldmatrix_x4_trans"
std::string kernel_name(const Access& access);

/// A source with one kernel for each access: (const Element* in, Element* out), both with all elements of the
/// tile, line after line; <<<1, 32, size_bytes>>>. All accesses of the report must be possible. Needs sm_75,
/// for cp.async sm_80, for stmatrix sm_90.
std::string kernel_text(const Report& report);

}  // namespace lanescope::layout
