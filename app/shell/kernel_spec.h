// A kernel of Jupyter whose cells run under `lanescope run`. Source: the documentation of jupyter_client,
// "Making kernels for Jupyter". Tests: tests/cli/run_test.cpp

#pragma once

#include "shell/paths.h"

#include <string>
#include <vector>

namespace lanescope::shell {

/// Writes the kernel "Python 3 (Lanescope)" into the user's folder of kernels, and prints where. `python`:
/// the words that start Python; empty: python3. Errors: File.
Result<int> write_kernel_spec(const Paths& paths, const std::vector<std::string>& python);

}  // namespace lanescope::shell
