// A source that the page of a class wants compiled, as JSON, and the answer to it. Method: the request brings
// all texts along; what it includes besides is CUDA's. A source that could make the compiler read another
// file is refused before, in words that do not repeat the name. Schema: app/docs/page.md, "What is asked and
// answered". Tests: tests/unit/shell/compile_request_test.cpp, tests/page/class_test.py

#pragma once

#include "base/error.h"
#include "compile/compile.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::shell {

struct CompileRequest {
  compile::Source source;
  compile::Options options;  // without folders and without options of NVRTC
};

/// Errors (Usage): what is missing, of another type, too much, or no name of a file as a lesson has them.
Result<CompileRequest> read_compile_request(std::string_view json);

/// Whether the source includes nothing but its headers, `cuda_folders` and what NVRTC has built in.
/// Errors (Unsupported): the line that could read another file.
Result<void> check_includes(const CompileRequest& request,
                            const std::vector<std::filesystem::path>& cuda_folders);

/// {"ptx": TEXT or null, "log": TEXT}. Folders of `cuda_folders` are left out of the log.
std::string answer_of(const compile::Compilation& compilation,
                      const std::vector<std::filesystem::path>& cuda_folders);
/// {"error": SENTENCE}
std::string answer_of(const Error& error);

}  // namespace lanescope::shell
