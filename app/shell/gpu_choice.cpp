#include "shell/gpu_choice.h"

#include "remote/connection.h"

namespace lanescope::shell {

void add_gpu_choice(CLI::App& verb, GpuChoice& choice) {
  verb.add_option("--host", choice.host,
                  "user@machine: use that machine's GPU through ssh; Lanescope must be installed there");
  verb.add_option("--remote-program", choice.remote_program,
                  "with --host: lanescope's file there (default: lanescope, found in its PATH)");
}

Result<std::unique_ptr<gpu::Gpu>> choose_gpu(const GpuChoice& choice, const Paths& paths) {
  remote::Peer peer = remote::this_machine(paths.program.string());
  if (!choice.host.empty()) {
    TRY(peer, remote::over_ssh(choice.host, choice.remote_program));
  }
  TRY(auto connection, remote::Connection::open(std::move(peer)));
  return std::make_unique<remote::Connection>(std::move(connection));
}

std::vector<std::filesystem::path> cupti_folders(const Paths& paths) {
  // Beside the program lies what was taken along to a machine with nothing but a driver.
  return {paths.fetched / "cupti/nvidia/cu13/lib", paths.project / "build/lib"};
}

}  // namespace lanescope::shell
