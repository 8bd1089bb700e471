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
  uint32_t limit_seconds = 60;  // of a kernel on the GPU
};

/// --host, --remote-program and --limit-seconds.
void add_gpu_choice(const Verb& verb, GpuChoice& choice);

/// This machine's GPU is driven by a separate process, so that a kernel's fault does not end this one.
/// Errors: no driver, no GPU; no connection, with what to try. `stop` ends the wait for replies.
Result<std::unique_ptr<gpu::Gpu>> choose_gpu(const GpuChoice& choice, const Paths& paths,
                                             std::stop_token stop = {});

/// The first folder in which CUPTI is searched.
std::vector<std::filesystem::path> cupti_folders(const Paths& paths);

}  // namespace lanescope::shell
