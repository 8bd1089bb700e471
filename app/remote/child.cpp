#include "remote/child.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace lanescope::remote {
namespace {

/// Both ends of a pipe, closed in a child unless they are passed on.
struct Pipe {
  int out = -1;  // to be read
  int in = -1;   // to be written
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::File,
                fmt::format("a pipe cannot be created ({})", std::generic_category().message(errno)));
  return Pipe{ends[0], ends[1]};
}

void close_both(const Pipe& pipe) {
  close(pipe.out);
  close(pipe.in);
}

/// The status of posix_spawnp with these as the child's standard streams.
int spawn(const std::vector<std::string>& words, int input, int output, int complaints, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
  const int status = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

}  // namespace

Result<std::pair<Child, Channel>> Child::start(const std::vector<std::string>& words) {
  TRY(const Pipe to_child, make_pipe());
  auto from_child = make_pipe();
  if (!from_child) {
    close_both(to_child);
    return std::unexpected(from_child.error());
  }
  const int complaints = memfd_create("lanescope-child", MFD_CLOEXEC);
  pid_t process = -1;
  const int status = spawn(words, to_child.out, from_child->in, complaints, process);
  close(to_child.out);
  close(from_child->in);
  Channel channel(from_child->out, to_child.in);
  if (status != 0) {
    close(complaints);
    return fail(ErrorKind::File, fmt::format("{} cannot be started ({}); is it installed?", words[0],
                                             std::generic_category().message(status)));
  }
  return std::pair{Child(process, complaints), std::move(channel)};
}

Child::Child(pid_t process, int complaints) : process_(process), complaints_(complaints) {}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)), complaints_(std::exchange(other.complaints_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    process_ = std::exchange(other.process_, -1);
    complaints_ = std::exchange(other.complaints_, -1);
  }
  return *this;
}

Child::~Child() { end(); }

void Child::end() noexcept {
  if (complaints_ >= 0) close(std::exchange(complaints_, -1));
  if (process_ < 0) return;
  // A server ends when its input closes; if it is busy, or another process holds its input, it is killed.
  for (int i = 0; i < 20; ++i) {
    if (waitpid(process_, nullptr, WNOHANG) != 0) {
      process_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(process_, SIGKILL);
  waitpid(std::exchange(process_, -1), nullptr, 0);
}

std::string Child::complaint() const {
  constexpr off_t kMost = 4096;
  if (complaints_ < 0) return {};
  struct stat status{};
  if (fstat(complaints_, &status) != 0) return {};
  const off_t size = status.st_size;
  const off_t from = size > kMost ? size - kMost : 0;
  std::string text(static_cast<size_t>(size - from), '\0');
  const ssize_t got = pread(complaints_, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace lanescope::remote
