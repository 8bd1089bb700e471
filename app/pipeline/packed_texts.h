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

/// Writes the first text of `rest` to a file in `folder`, which is there, and takes it off `rest`. What is
/// read is untrusted. Errors, with `rest` as it was: Syntax for what packed() did not make; File.
Result<void> unpack_next(std::string_view& rest, const std::filesystem::path& folder);

}  // namespace lanescope::pipeline
