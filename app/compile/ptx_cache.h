// The disk cache of compiled PTX, by content key. A damaged, truncated or foreign file counts as missing.
// Tests: tests/unit/compile/compile_test.cpp

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::compile {

std::optional<std::string> read_cached_ptx(const std::filesystem::path& folder, std::string_view key);

/// Writes through a temporary name, so a reader never sees a partial file. On a full disk nothing is stored.
void cache_ptx(const std::filesystem::path& folder, std::string_view key, std::string_view ptx);

}  // namespace lanescope::compile
