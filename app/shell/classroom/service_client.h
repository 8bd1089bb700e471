// What the page of a class asks of the service that compile_request.h reads, and reads of its answer. Schema:
// app/docs/page.md, "What is asked and answered". Tests: tests/unit/shell/service_client_test.cpp

#pragma once

#include "base/error.h"
#include "compile/compile.h"

#include <string>
#include <string_view>

namespace lanescope::shell {

/// JSON that read_compile_request() reads. Folders and options of NVRTC are left out.
std::string request_text(const compile::Source& source, const compile::Options& options);

/// PTX and log of an answer. Errors: File with the service's sentence, or where `json` is no answer at all.
Result<compile::Compilation> read_compile_answer(std::string_view json);

}  // namespace lanescope::shell
