// PTX of a module image that a program passes to the driver: PTX text, or a fat binary of nvcc, whose parts
// are plain, LZ4 or Zstandard, or several fat binaries, which are linked. Images are untrusted: nothing
// outside the given bytes is read. Source: the layout of a fat binary is not documented; it was read off
// nvcc 13.0's own output and the macros of CUDA's fatbinary_section.h. Tests:
// tests/unit/driver/image_test.cpp, tests/fuzz

#pragma once

#include "base/error.h"

#include <cstddef>
#include <span>
#include <string>

namespace lanescope::driver {

/// PTX of `image`; of several texts, that of the newest architecture. Errors: Unsupported for machine code
/// without PTX, Syntax if `image` is damaged or neither PTX nor a fat binary, Limit above 256 MiB unpacked.
Result<std::string> ptx_of_image(std::span<const std::byte> image);

}  // namespace lanescope::driver
