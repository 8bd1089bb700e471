// Inputs of a launch, kept so that its kernel can run again without the program: a file of launches
// (pipeline/launch_file.h), and next to it a file with the contents of each buffer. Method: a buffer is an
// allocation that a parameter or variable points to, directly or through memory whose element type is not
// known. Buffers have new numbers in the run that repeats the launch, so addresses in untyped memory and in
// structs are rewritten (memory_comparison.h). A buffer that is wholly uninitialized has no file; in the file
// of one that is partly so, the uninitialized words hold their pattern. Tests:
// tests/unit/driver/launch_inputs_test.cpp

#pragma once

#include "base/error.h"
#include "driver/server/device_memory.h"
#include "driver/server/requested_launch.h"
#include "driver/server/source_texts.h"
#include "launch/launch.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lanescope::driver {

/// Writes `file`, a .toml, and the contents of the buffers as "STEM-BUFFER.raw". Returns the size of the
/// contents in bytes. `buffers`: [allocation] with its name, type and shape. Errors: File; Limit above
/// `most_bytes`; Unsupported if the source is not known, or for pointers to variables or to memory of malloc
/// in kernels, which a file of launches cannot describe. An error of the contents removes their files.
Result<uint64_t> keep_inputs(const KernelLaunch& launch, const DeviceMemory& memory, SourceTexts& sources,
                             const std::vector<launch::Buffer>& buffers, const std::filesystem::path& file,
                             uint64_t most_bytes);

}  // namespace lanescope::driver
