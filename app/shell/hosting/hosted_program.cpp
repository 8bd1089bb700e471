#include "shell/hosting/hosted_program.h"

#include "driver/messages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// Sets NAME=value in place of what is there.
void set(std::vector<std::string>& environment, std::string_view name, const std::string& value) {
  const std::string head = std::string(name) + "=";
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(head); });
  environment.push_back(head + value);
}

std::string value_of(const std::vector<std::string>& environment, std::string_view name) {
  const std::string head = std::string(name) + "=";
  const auto found =
      std::ranges::find_if(environment, [&](const std::string& e) { return e.starts_with(head); });
  return found == environment.end() ? "" : found->substr(head.size());
}

/// Puts a path in front of those of a variable.
void put_first(std::vector<std::string>& environment, std::string_view name, const std::string& path,
               char separator = ':') {
  const std::string rest = value_of(environment, name);
  set(environment, name, rest.empty() ? path : path + separator + rest);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

sigset_t end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM}) sigaddset(&signals, signal);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);  // nohup ignores it
  return signals;
}

void keep_ptx(std::vector<std::string>& environment, const std::string& libraries) {
  // Python's hooks then lead numba-cuda and cuda.core to the driver's linker, which gets PTX.
  set(environment, LANESCOPE_KEEPS_PTX_VARIABLE, "1");
  // Triton and PyCUDA hand over what these write: PTX in place of machine code.
  const std::string tools = libraries + "/tools";
  put_first(environment, "PATH", tools);
  set(environment, "TRITON_PTXAS_PATH", tools + "/ptxas");
  set(environment, "TRITON_PTXAS_BLACKWELL_PATH", tools + "/ptxas");
  set(environment, "CUPY_COMPILE_WITH_PTX", "1");
}

/// What builds in the program: every nvcc gets the options, whatever path names it, and Makefiles that name a
/// toolkit find the stand-in.
void offer_toolkit(std::vector<std::string>& environment, const Hosting& hosting) {
  if (!hosting.project.empty()) set(environment, "LANESCOPE_PROJECT", hosting.project.string());
  if (!hosting.cache.empty()) set(environment, "LANESCOPE_CACHE", hosting.cache.string());
  if (!hosting.nvcc.empty()) set(environment, "LANESCOPE_REAL_NVCC", hosting.nvcc.string());
  if (hosting.toolkit.empty()) return;
  const std::string own = value_of(environment, "NVCC_APPEND_FLAGS");
  set(environment, "NVCC_APPEND_FLAGS",
      own + (own.empty() ? "" : " ") + "-cudart shared -lineinfo -arch=compute_90 -cudadevrt none");
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDA_DIR", "CUDA_ROOT", "CUDAToolkit_ROOT"})
    set(environment, name, hosting.toolkit.string());
  put_first(environment, "LIBRARY_PATH", (hosting.toolkit / "lib64").string());
}

bool is_of_keyboard(int signal) { return signal == SIGINT || signal == SIGQUIT; }

enum class Session { Ours, Own };

/// The file of a command in the search path that the command will have, in which Lanescope's tools are first.
std::string file_of(const ProgramCommand& command, const std::vector<std::string>& environment) {
  if (!command.executable.empty()) return command.executable.string();
  const std::string& word = command.words[0];
  if (word.contains('/')) return word;
  const std::string path = value_of(environment, "PATH");
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    const std::string file = path.substr(at, end - at) + "/" + word;
    if (access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return word;
}

Result<pid_t> start(const ProgramCommand& command, const std::vector<std::string>& environment,
                    Session session) {
  const std::vector<std::string>& words = command.words;
  const std::string file = file_of(command, environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!command.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  if (command.output == ProgramCommand::Output::Error)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t signals = end_signals();
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (session == Session::Own) flags |= POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(&attributes, flags);
  pid_t process = 0;
  const int problem = posix_spawn(&process, file.c_str(), &actions, &attributes, pointers_to(words).data(),
                                  pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return process;
  return fail(ErrorKind::Usage, fmt::format("the program '{}' cannot be started: {}", words[0],
                                            std::generic_category().message(problem)));
}

/// [process] its parent, of all processes of this session; from /proc.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> found;
  std::error_code ignored;
  const pid_t session = getsid(0);
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t process = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), process).ec != std::errc()) continue;
    std::ifstream stream(entry.path() / "stat");
    const std::string line{std::istreambuf_iterator<char>(stream), {}};
    const size_t after_name = line.rfind(')');
    char state = 0;
    int parent = 0, group = 0, of_session = 0;
    if (after_name == std::string::npos ||
        std::sscanf(line.c_str() + after_name + 1, " %c %d %d %d", &state, &parent, &group, &of_session) != 4)
      continue;
    if (of_session == session) found[process] = parent;
  }
  return found;
}

/// Kills a program and what it started, also those whose parents have ended; not what left its session.
void end_tree(pid_t program) {
  const std::map<pid_t, pid_t> known = parents();
  for (const auto& [process, parent] : known) {
    pid_t above = process;
    // An orphan is a child of this process.
    for (auto next = known.find(above); above != program && next != known.end(); next = known.find(above)) {
      if (next->second == getpid()) break;
      above = next->second;
    }
    const auto top = known.find(above);
    const bool is_below = above == program || (top != known.end() && top->second == getpid());
    if (is_below && process != getpid()) kill(process, SIGKILL);
  }
}

}  // namespace

EndSignals::EndSignals(std::function<void(int signal)> on_signal) {
  const sigset_t signals = end_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::jthread([this, on_signal = std::move(on_signal)] {
    std::array<pollfd, 2> ready{{{signals_, POLLIN, 0}, {end_, POLLIN, 0}}};
    while (poll(ready.data(), ready.size(), -1) >= 0 || errno == EINTR) {
      if (ready[1].revents != 0) return;
      signalfd_siginfo signal{};
      if (ready[0].revents != 0 && read(signals_, &signal, sizeof signal) > 0)
        on_signal(static_cast<int>(signal.ssi_signo));
    }
  });
}

EndSignals::~EndSignals() {
  eventfd_write(end_, 1);
  thread_.join();
  close(end_);
  close(signals_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::vector<std::string> own_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::vector<std::string> environment_of(const Hosting& hosting) {
  std::vector<std::string> environment = own_environment();
  const std::string libraries = hosting.libraries.string();
  set(environment, "LANESCOPE_PROGRAM", hosting.lanescope.string());
  set(environment, "LANESCOPE_LIBRARIES",
      hosting.links.empty() ? libraries : fmt::format("{}:{}", libraries, hosting.links.string()));
  if (!hosting.links.empty()) put_first(environment, "LD_LIBRARY_PATH", hosting.links.string());
  struct stat file{};
  const bool is_reported = hosting.is_reported && fstat(STDERR_FILENO, &file) == 0;
  set(environment, LANESCOPE_REPORT_VARIABLE,
      is_reported ? fmt::format("{}:{}", file.st_dev, file.st_ino) : "");
  if (hosting.driver.empty()) {
    set(environment, LANESCOPE_SOCKET_VARIABLE, hosting.socket.string());
    set(environment, "LANESCOPE_DEVICE", hosting.device);
    put_first(environment, "LD_LIBRARY_PATH", libraries);
  } else {
    set(environment, LANESCOPE_FORWARD_VARIABLE, hosting.socket.string());
    set(environment, LANESCOPE_REAL_DRIVER_VARIABLE, hosting.driver.string());
    put_first(environment, "LD_LIBRARY_PATH", libraries + "/forward");
  }
  if (hosting.keeps_ptx) keep_ptx(environment, libraries);
  if (hosting.driver.empty()) offer_toolkit(environment, hosting);
  std::error_code ignored;
  if (fs::is_directory(hosting.python, ignored))
    put_first(environment, "PYTHONPATH", hosting.python.string());
  return environment;
}

std::vector<std::string> build_environment_of(const Hosting& hosting) {
  std::vector<std::string> environment = own_environment();
  const std::vector<std::string> before = environment;
  put_first(environment, "PATH", (hosting.libraries / "tools").string());
  offer_toolkit(environment, hosting);
  std::erase_if(environment,
                [&](const std::string& entry) { return std::ranges::find(before, entry) != before.end(); });
  return environment;
}

Result<ProgramEnd> run_hosted(const ProgramCommand& command, const std::vector<std::string>& environment,
                              const EndOfProgram& end) {
  using Clock = std::chrono::steady_clock;
  // Processes whose parent ends become this one's children, so that all can be found.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  TRY(const pid_t process, start(command, environment, Session::Ours));
  const auto limit = Clock::now() + std::chrono::seconds(end.limit_seconds);
  ProgramEnd ended;
  int status = 0;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  while (waitpid(process, &status, WNOHANG) == 0) {
    constexpr int kMillisecondsBetweenLooks = 50;
    pollfd over{handle, POLLIN, 0};
    poll(&over, 1, kMillisecondsBetweenLooks);
    if (ended.cause != ProgramEnd::Cause::Itself) continue;
    if (const int signal = end.by_signal == nullptr ? 0 : end.by_signal->load(); signal != 0)
      ended.cause = is_of_keyboard(signal) ? ProgramEnd::Cause::Keyboard : ProgramEnd::Cause::Signal;
    if (end.limit_seconds != 0 && Clock::now() >= limit) ended.cause = ProgramEnd::Cause::Limit;
    if (ended.cause != ProgramEnd::Cause::Itself) end_tree(process);
  }
  if (handle >= 0) close(handle);
  if (ended.cause != ProgramEnd::Cause::Itself) end_tree(process);
  constexpr int kBySignal = 128;  // as a shell has it
  ended.status = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
}

std::string signal_text(int status) {
  constexpr int kBySignal = 128;
  switch (status - kBySignal) {
    case SIGSEGV:
    case SIGBUS:
      return "it crashed: its host code accessed memory that it must not, as through a pointer that "
             "cudaMalloc gave";
    case SIGABRT:
      return "it aborted";
    case SIGFPE:
      return "its host code divided by zero";
    case SIGILL:
      return "its host code has an instruction that this processor lacks";
    case SIGKILL:
      return "it was killed";
    case SIGINT:
      return "it was interrupted";
    case SIGTERM:
      return "it was terminated";
    default:
      return "";
  }
}

Result<void> start_detached(const std::vector<std::string>& words) {
  TRY([[maybe_unused]] const pid_t process, start({.words = words}, own_environment(), Session::Own));
  return {};
}

}  // namespace lanescope::shell
