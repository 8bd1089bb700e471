// The PTX of all settings of a lesson in one file, as a page loads it. Method: texts as pipeline/stored_ptx.h
// stores them, each after a line "NAME LENGTH". Made by the target store_ptx. Test:
// tests/unit/pipeline/packed_texts_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lanescope::pipeline {

/// `text` as a part of the file. `name` has no space and no slash.
std::string packed(std::string_view name, std::string_view text);

/// Writes each text to a file in `folder`; returns their number. What is read is untrusted. Errors: Syntax
/// for what packed() did not make; File.
Result<size_t> unpack_texts(std::string_view content, const std::filesystem::path& folder);

}  // namespace lanescope::pipeline
