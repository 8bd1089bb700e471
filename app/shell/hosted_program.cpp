#include "shell/hosted_program.h"

#include "driver/messages.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
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

sigset_t keyboard_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGQUIT);
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

enum class Session { Ours, Own };

Result<pid_t> start(const std::vector<std::string>& words, char* const* environment, Session session) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t signals = keyboard_signals();
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (session == Session::Own) flags |= POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(&attributes, flags);
  pid_t process = 0;
  const int problem =
      posix_spawnp(&process, words[0].c_str(), nullptr, &attributes, pointers_to(words).data(), environment);
  posix_spawnattr_destroy(&attributes);
  if (problem == 0) return process;
  return fail(ErrorKind::Usage, fmt::format("the program '{}' cannot be started: {}", words[0],
                                            std::generic_category().message(problem)));
}

}  // namespace

Keyboard::Keyboard(std::function<void()> on_signal) {
  const sigset_t signals = keyboard_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC);
  thread_ = std::jthread([this, on_signal = std::move(on_signal)](const std::stop_token& stop) {
    constexpr int kMillisecondsBetweenLooks = 100;
    while (!stop.stop_requested()) {
      pollfd ready{signals_, POLLIN, 0};
      signalfd_siginfo signal{};
      if (poll(&ready, 1, kMillisecondsBetweenLooks) > 0 && read(signals_, &signal, sizeof signal) > 0)
        on_signal();
    }
  });
}

Keyboard::~Keyboard() {
  thread_.request_stop();
  thread_.join();
  close(signals_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::vector<std::string> environment_of(const Hosting& hosting) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  const std::string libraries = hosting.libraries.string();
  set(environment, "LANESCOPE_PROGRAM", hosting.lanescope.string());
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
  std::error_code ignored;
  if (fs::is_directory(hosting.python, ignored))
    put_first(environment, "PYTHONPATH", hosting.python.string());
  return environment;
}

Result<int> run_hosted(const std::vector<std::string>& words, const std::vector<std::string>& environment) {
  TRY(const pid_t process, start(words, pointers_to(environment).data(), Session::Ours));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  constexpr int kBySignal = 128;  // as a shell has it
  return WIFSIGNALED(status) ? kBySignal + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<void> start_detached(const std::vector<std::string>& words) {
  TRY([[maybe_unused]] const pid_t process, start(words, environ, Session::Own));
  return {};
}

}  // namespace lanescope::shell
