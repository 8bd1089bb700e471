// Which GPU a verb uses: this machine's, or one of another machine through ssh. Tests:
// tests/cli/remote_test.cpp

#pragma once

#include "gpu/gpu.h"
#include "shell/parser.h"
#include "shell/paths.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::shell {

struct GpuChoice {
  std::string host;  // user@machine; empty: this machine
  std::string remote_program = "lanescope";
};

/// --host and --remote-program.
void add_gpu_choice(const Verb& verb, GpuChoice& choice);

/// This machine's is driven by a process of its own, which a kernel's fault ends instead of this one. Errors:
/// no driver, no GPU; no connection, with what to try. `stop` ends the wait for its answers.
Result<std::unique_ptr<gpu::Gpu>> choose_gpu(const GpuChoice& choice, const Paths& paths,
                                             std::stop_token stop = {});

/// Where CUPTI is looked for first.
std::vector<std::filesystem::path> cupti_folders(const Paths& paths);

}  // namespace lanescope::shell
