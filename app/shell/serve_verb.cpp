// `lanescope serve --stdio`: this machine's GPU for a Lanescope at the other end of a pipe, which is this
// machine's window or another machine through ssh.

#include "gpu/driver_gpu.h"
#include "model/cost.h"
#include "remote/server.h"
#include "shell/gpu_choice.h"
#include "shell/verbs.h"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

/// Ends the process when the other end is gone, even during a kernel that never ends. Between requests the
/// server notices the end itself.
void end_with_the_pipe(const std::stop_token& stop) {
  constexpr int kMilliseconds = 200;
  while (!stop.stop_requested()) {
    pollfd watched{STDIN_FILENO, 0, 0};  // hang-ups alone are reported
    if (poll(&watched, 1, kMilliseconds) > 0) _exit(1);
  }
}

/// Reserves standard output for replies: the driver writes a kernel's output to descriptor 1, which is
/// redirected to standard error.
Result<int> take_standard_output() {
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return fail(ErrorKind::File, fmt::format("standard output cannot be reserved for replies ({})",
                                             std::generic_category().message(errno)));
  return answers;
}

Result<int> serve(const Paths& paths, std::chrono::seconds most_waiting) {
  TRY(const int answers, take_standard_output());
  remote::Channel channel(STDIN_FILENO, answers);
  const std::jthread watcher(end_with_the_pipe);
  TRY_VOID(remote::serve(channel, [&]() -> Result<std::unique_ptr<gpu::Gpu>> {
    TRY(auto gpu, gpu::DriverGpu::open({cupti_folders(paths), model::cost_of, most_waiting}));
    return std::make_unique<gpu::DriverGpu>(std::move(gpu));
  }));
  _exit(0);  // at once: the driver's own end would wait for a kernel that never ends
}

}  // namespace

void add_serve_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "serve", "serve this machine's GPU to a Lanescope at the other end of a pipe (started by --host)");
  auto stdio = std::make_shared<bool>(false);
  verb.add("--stdio", *stdio, "requests come from standard input, replies go to standard output").required();
  auto limit_seconds = std::make_shared<uint32_t>(60);
  verb.add("--limit-seconds", *limit_seconds, "stop a kernel that runs longer (default: 60)")
      .between(1, 1'000'000);
  verb.on_chosen([&action, stdio, limit_seconds] {
    action = [limit_seconds](const Paths& paths) {
      return serve(paths, std::chrono::seconds(*limit_seconds));
    };
  });
}

}  // namespace lanescope::shell
