// The CUDA toolkit for programs: an installed one, or that of PyPI, which is fetched when it is first needed.
// Tests: tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "compile/toolkit.h"
#include "shell/paths.h"

namespace lanescope::shell {

/// An installed toolkit, or that of PyPI, which is fetched now if need be. Errors: File.
Result<compile::Toolkit> find_or_fetch_toolkit(const Paths& paths);

}  // namespace lanescope::shell
