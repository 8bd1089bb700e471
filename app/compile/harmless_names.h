// Names of files and folders for compilers that hand them to a shell, as nvcc does: a name with characters
// that mean something to a shell is replaced by another, in a folder of the cache. Method: a folder is given
// as a symbolic link to it, a source file as a copy, since nvcc resolves links of files. Next to a copy is a
// link to the person's own file, to name that file in the source lines of PTX and in errors. A macro's value
// is given in a header. Tests:
// tests/unit/compile/harmless_names_test.cpp, tests/cli/program_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>

namespace lanescope::compile {

/// True if a shell takes the name within double quotes as it is.
bool is_harmless(const std::filesystem::path& name);

/// The folder of the links and copies in a cache.
std::filesystem::path links_folder(const std::filesystem::path& cache);

/// The absolute name of a source file: its own where that and where its links lead are harmless, else a
/// copy's in `links`, which is not in the folder of what the file includes. Errors: File.
Result<std::filesystem::path> harmless_file(const std::filesystem::path& file,
                                            const std::filesystem::path& links);
/// The absolute name of a folder, or of a link to it. Errors: File.
Result<std::filesystem::path> harmless_folder(const std::filesystem::path& folder,
                                              const std::filesystem::path& links);

/// A header that defines a macro given as NAME or NAME=VALUE, whose name is harmless; "NAME" has the value 1.
/// Errors: File; Usage for a macro of several lines.
Result<std::filesystem::path> harmless_macro(const std::string& define, const std::filesystem::path& links);

/// A text with a person's own names in place of those of links and copies; texts without them are unchanged.
std::string with_own_names(std::string text);

}  // namespace lanescope::compile
