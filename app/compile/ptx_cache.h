// The disk cache of compiled PTX and machine code, by content key. A damaged, truncated or foreign file
// counts as missing. Tests: tests/unit/compile/compile_test.cpp

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::compile {

inline constexpr std::string_view kPtxExtension = "ptx";
inline constexpr std::string_view kMachineCodeExtension = "cubin";

std::optional<std::string> read_cached(const std::filesystem::path& folder, std::string_view key,
                                       std::string_view extension);

/// Writes through a temporary name, so a reader never sees a partial file. On a full disk nothing is stored.
void write_cached(const std::filesystem::path& folder, std::string_view key, std::string_view extension,
                  std::string_view content);

}  // namespace lanescope::compile
