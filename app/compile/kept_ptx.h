// Compiled PTX on disk, by content key. A file that is damaged, cut off or not ours is as good as none.
// Tests: tests/unit/compile/compile_test.cpp

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::compile {

std::optional<std::string> read_kept_ptx(const std::filesystem::path& folder, std::string_view key);

/// Writes through a temporary name, so a reader never sees half a file. A disk that is full keeps nothing.
void keep_ptx(const std::filesystem::path& folder, std::string_view key, std::string_view ptx);

}  // namespace lanescope::compile
