// The files that a CUDA source includes, each read once: those of the user, not those of CUDA. Method: every
// #include is followed, whatever #if it is in, by the rules of NVRTC: a quoted name next to the including
// file first, then the folders in their order. A name that a macro hides is looked up among the macros. Each
// text is scanned once, and its tokens are kept for the other scans.
// Source: NVRTC documentation, "User Interface"; measured: tests/unit/compile/include_files_test.cpp

#pragma once

#include "base/error.h"
#include "compile/source.h"
#include "compile/source_tokens.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct IncludeLine {
  enum class Found {
    File,     // a file of the user
    Given,    // a header that comes with the source
    Cuda,     // a file in the folders of CUDA's headers
    Nowhere,  // or built in
  };
  std::string name;
  bool is_quoted = false;
  size_t begin = 0;  // bytes of the directive in the text of its file
  size_t end = 0;
  int line = 1;
  Found found = Found::Nowhere;
  size_t file = 0;         // index of the file that was found
  bool is_certain = true;  // false: one of several names that a macro may stand for
};

struct SourceFile {
  std::string name;  // of the source as it was given; of the others the whole path
  std::string text;
  std::vector<Token> directives;  // parts of `text`
  std::vector<Token> tokens;      // parts of `text`; empty unless KeptTokens::All asks for them
  std::vector<IncludeLine> includes;
  bool is_beside = false;  // the source, or found next to such a file; else in a folder of headers
};

/// The tokens that are kept of each file.
enum class KeptTokens : uint8_t {
  Directives,
  All,  // those of the source, of what is next to it or comes with it, and of each header with kernels
};

/// A move keeps the tokens valid.
struct SourceFiles {
  std::deque<SourceFile> files;  // the source first
  /// True if these are all files that the compiler can read, apart from CUDA's: no name is hidden from the
  /// scan, and no limit was reached.
  bool is_complete = true;
  std::string probes;  // names in __has_include, each with the file that was found
};

/// Errors (File): an included name that is neither a file nor a folder, as a pipe, which could block.
Result<SourceFiles> read_source_files(const Source& source, const Options& options,
                                      const std::vector<std::filesystem::path>& cuda_folders,
                                      KeptTokens kept = KeptTokens::Directives);

}  // namespace lanescope::compile
