// What a launch was given, kept so that its kernel can run again without the program: a file of launches
// (pipeline/launch_file.h), and beside it a file with the contents of each buffer. Method: a buffer is an
// allocation that the parameters and variables lead to, directly or through memory whose elements are of no
// known type. Its number among the buffers is its number in the run that repeats the launch, so addresses in
// untyped memory and in structs are rewritten to it (memory_comparison.h). Memory that is uninitialized as a
// whole has no file; in parts, the file has there the pattern by which it is known. Tests:
// tests/unit/driver/launch_inputs_test.cpp

#pragma once

#include "base/error.h"
#include "driver/device_memory.h"
#include "driver/requested_launch.h"
#include "driver/source_texts.h"
#include "launch/launch.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lanescope::driver {

/// Writes `file`, a .toml, and the contents of the buffers as "STEM-BUFFER.raw". `buffers`: [allocation] with
/// its name, type and shape. The value is how many bytes of contents were written. Errors, which leave no
/// file: File; Limit above `most_bytes`; Unsupported for what a file of launches does not describe: memory of
/// malloc in kernels, pointers to variables.
Result<uint64_t> keep_inputs(const KernelLaunch& launch, const DeviceMemory& memory, SourceTexts& sources,
                             const std::vector<launch::Buffer>& buffers, const std::filesystem::path& file,
                             uint64_t most_bytes);

}  // namespace lanescope::driver
