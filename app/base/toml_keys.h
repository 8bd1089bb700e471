// Keys of TOML with very many parts, `a.a.a. ... = 1`, whose tables lie in each other: a reader of TOML frees
// them one within the other, and runs out of stack. Method: parts are counted in the text, before it is read.
// Tests: tests/unit/base/toml_keys_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace lanescope {

/// Parts of a key that are taken; with the 256 levels of toml++ for inline tables, 16,384 tables in each
/// other.
inline constexpr int kMostKeyParts = 64;

/// Errors: Syntax, with the line, where a key of the text has more than kMostKeyParts parts.
Result<void> refuse_long_keys(std::string_view text, const std::filesystem::path& file);

}  // namespace lanescope
