// The PTX in what a program passes to the driver as a module: PTX text, or a fat binary that nvcc made, whose
// parts are plain, LZ4 or Zstandard. Images come from strangers: nothing outside the given bytes is read.
// Source: the layout of a fat binary is not documented; it was read off nvcc 13.0's own output and the
// macros of CUDA's fatbinary_section.h. Tests: tests/unit/driver/image_test.cpp, tests/fuzz

#pragma once

#include "base/error.h"

#include <cstddef>
#include <span>
#include <string>

namespace lanescope::driver {

/// Of several texts the one for the newest architecture. Errors: Unsupported where there is machine code
/// without PTX, Syntax where it is no image or is damaged, Limit where it unpacks to more than 256 MiB.
Result<std::string> ptx_of_image(std::span<const std::byte> image);

}  // namespace lanescope::driver
