// A run whose trace is kept in a page, for what a page cannot run again: as a saved trace
// (export/trace_file.h) with the kernel's source, where it is known. Test:
// tests/unit/handout/packed_trace_test.cpp

#pragma once

#include "handout/files.h"

#include <filesystem>
#include <memory>

namespace lanescope::handout {

/// Bytes of the trace as a page carries it, compressed, at most.
inline constexpr size_t kMostTraceBytes = size_t{1} << 20;

/// Files are named without their folders. Errors: Limit above kMostTraceBytes; File.
Result<PackedFiles> files_of(const pipeline::Run& run, const model::Device& device,
                             const pipeline::Options& options);

/// What files_of() packed, at its place. Errors: File, Syntax.
Result<std::shared_ptr<const pipeline::Run>> read_packed_trace(const std::filesystem::path& file,
                                                               const model::Device& device);

}  // namespace lanescope::handout
