#include "base/limited_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostBytes = size_t{4} << 20;
constexpr int kCannotStart = 127;

/// What a child writes, as far as it was read.
class Captured {
 public:
  Captured() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) == 0) out_ = ends[0], in_ = ends[1];
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    close_input();
    close_output();
  }

  bool is_open() const { return out_ >= 0; }
  int input() const { return in_; }
  int output() const { return out_; }
  void close_input() {
    if (in_ >= 0) close(in_);
    in_ = -1;
  }
  /// Reads what is there; what exceeds the limit is dropped.
  void read_some() {
    std::array<char, 1 << 16> chunk{};
    const ssize_t got = read(out_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) return close_output();
    text_.append(chunk.data(), std::min(static_cast<size_t>(got), kMostBytes - text_.size()));
  }
  std::string take() { return std::move(text_); }

 private:
  void close_output() {
    if (out_ >= 0) close(out_);
    out_ = -1;
  }
  int out_ = -1, in_ = -1;
  std::string text_;
};

/// In the child, where after a fork only functions that are safe in signal handlers may be called.
[[noreturn]] void start(char* const* words, int output, int error, const Limits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  const auto limit = [](auto resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(resource, &both);
  };
#if !defined(__SANITIZE_ADDRESS__)  // its shadow alone takes 20 TiB of addresses
  if (limits.memory_mib != 0) limit(RLIMIT_AS, rlim_t{limits.memory_mib} << 20);
#endif
  limit(RLIMIT_CORE, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(limits.error_to >= 0 ? limits.error_to : error, STDERR_FILENO);
  if (!limits.folder.empty() && chdir(limits.folder.c_str()) != 0) _exit(kCannotStart);
  execv(words[0], words);
  _exit(kCannotStart);
}

/// Reads from both until the child ends, its time does, or a stop is asked for. The child's status as waitpid
/// gives it; absent: the child was killed.
std::optional<int> wait_for(pid_t child, Captured& output, Captured& error, const std::stop_token& stop,
                            Clock::time_point end) {
  constexpr int kPauseMilliseconds = 10;  // once the child has closed both
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= end || stop.stop_requested()) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);  // which may not lead its group yet
      waitpid(child, &status, 0);
      return {};
    }
    std::array<pollfd, 2> watched{{{output.output(), POLLIN, 0}, {error.output(), POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), kPauseMilliseconds) <= 0) continue;
    if (watched[0].revents != 0) output.read_some();
    if (watched[1].revents != 0) error.read_some();
  }
  return status;
}

/// What is still in the pipe. Another process may hold its other end, so only what is there.
void drain(Captured& captured) {
  while (captured.is_open()) {
    pollfd watched{captured.output(), POLLIN, 0};
    if (poll(&watched, 1, 0) <= 0) return;
    captured.read_some();
  }
}

}  // namespace

Result<Ended> run_limited(const std::vector<std::string>& words, const Limits& limits) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Captured output, error;
  const pid_t child = output.is_open() && error.is_open() ? fork() : -1;
  if (child == 0) start(arguments.data(), output.input(), error.input(), limits);
  if (child < 0)
    return fail(ErrorKind::File, fmt::format("{} cannot be started ({}); end other programs and try again",
                                             words[0], std::generic_category().message(errno)));
  output.close_input();
  error.close_input();
  const auto status =
      wait_for(child, output, error, limits.stop, Clock::now() + std::chrono::seconds(limits.seconds));
  Ended ended;
  if (!status)
    ended.how = limits.stop.stop_requested() ? Ended::How::Stopped : Ended::How::TimedOut;
  else if (WIFSIGNALED(*status))
    ended.how = Ended::How::Signaled, ended.number = WTERMSIG(*status);
  else
    ended.number = WEXITSTATUS(*status);
  if (status) {
    drain(output);
    drain(error);
  }
  ended.output = output.take();
  ended.error = error.take();
  return ended;
}

}  // namespace lanescope
