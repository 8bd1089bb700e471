// Reading and writing a file whole. Method of writing: the bytes go to a new file in the same directory,
// which is renamed when it is complete: readers see the old file or the new one, never a part. A pipe or a
// device is written directly, since it cannot be renamed onto. Tests: tests/unit/base/file_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lanescope {

/// Writes `bytes` to `file` through a temporary file next to it; the error names the file and the reason.
Result<void> write_file(const std::filesystem::path& file, std::string_view bytes);

/// The whole file; errors (File) say why not: missing, a folder, unreadable, larger than `limit_bytes`.
Result<std::string> read_text(const std::filesystem::path& file, uint64_t limit_bytes = uint64_t{64} << 20);

/// Whether write_file() can create the file, with its error if not: for use before work that takes minutes.
Result<void> check_place(const std::filesystem::path& file);

}  // namespace lanescope
