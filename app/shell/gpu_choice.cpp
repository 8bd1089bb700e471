#include "shell/gpu_choice.h"

#include "remote/connection.h"
#include "shell/verbs.h"

#include <dlfcn.h>

namespace lanescope::shell {

void add_gpu_choice(const Verb& verb, GpuChoice& choice) {
  verb.add("--host", choice.host,
           "user@machine: use that machine's GPU through ssh; Lanescope must be installed there");
  verb.add("--remote-program", choice.remote_program,
           "with --host: lanescope's file there (default: lanescope, found in its PATH)");
  verb.add("--limit-seconds", choice.limit_seconds,
           "stop a kernel on a GPU that runs longer (default: 60), or the program that FILE is "
           "(default: never)")
      .between(1, 1'000'000);
}

Result<std::unique_ptr<gpu::Gpu>> choose_gpu(const GpuChoice& choice, const Paths& paths,
                                             std::stop_token stop) {
  remote::Peer peer = remote::this_machine(paths.program.string(), choice.limit_seconds);
  if (!choice.host.empty()) {
    TRY(peer, remote::over_ssh(choice.host, choice.remote_program, choice.limit_seconds));
  }
  TRY(auto connection, remote::Connection::open(std::move(peer), std::move(stop)));
  return std::make_unique<remote::Connection>(std::move(connection));
}

std::vector<std::filesystem::path> cupti_folders(const Paths& paths) {
  // On a machine with only a driver, libraries may have been copied next to the program.
  return {paths.fetched / "cupti/nvidia/cu13/lib", paths.project / "build/lib"};
}

void offer_gpu(pipeline::Options& options, const GpuChoice& gpu, const Paths& paths) {
  if (gpu.host.empty()) {
    // The driver is only searched, not started: that takes longer than opening the window.
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver == nullptr) return;
    dlclose(driver);
  }
  options.open_gpu = [gpu, paths](std::stop_token stop) { return choose_gpu(gpu, paths, std::move(stop)); };
}

}  // namespace lanescope::shell
