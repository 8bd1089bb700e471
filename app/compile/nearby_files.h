// Files of a person's project that are not next to a source: headers that it includes, and sources with what
// the linker misses. Method: the folders in which projects have theirs are searched, by their usual names, in
// the source's own folder and in a few above it. Tests: tests/unit/compile/nearby_files_test.cpp

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// The folder near the source in which there is a header of this name; empty: none.
std::filesystem::path folder_with(const std::string& header, const std::filesystem::path& source);

/// Folders near the source with the headers that its text includes by a quoted name and that are in none of
/// `folders`; each folder once.
std::vector<std::filesystem::path> folders_of_headers(std::string_view text,
                                                      const std::filesystem::path& source,
                                                      const std::vector<std::filesystem::path>& folders);

/// Source file (.cu, .cpp, .cc, .c) near `source`, without main, whose text has a function of the name that a
/// linker's message "undefined reference to `name(...)'" has; empty: none, or no such message.
std::filesystem::path source_with_missing_function(std::string_view message,
                                                   const std::filesystem::path& source);

}  // namespace lanescope::compile
