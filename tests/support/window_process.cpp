#include "support/window_process.h"

#include "support/project.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::tests {
namespace {

constexpr std::array<std::string_view, 4> kHomes{
    "HOME=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME="};

/// This process's environment, with `home` for the person's files.
std::vector<std::string> environment_with(const std::filesystem::path& home) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    bool is_home = false;
    for (const std::string_view name : kHomes) is_home |= text.starts_with(name);
    if (!is_home) environment.emplace_back(text);
  }
  for (const std::string_view name : kHomes) environment.push_back(std::string(name) + home.string());
  return environment;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

bool has_screen() { return std::getenv("DISPLAY") != nullptr; }

WindowProcess::WindowProcess(std::filesystem::path home, const std::vector<std::string>& arguments)
    : home_(std::move(home)) {
  std::filesystem::create_directories(home_);
  std::vector<std::string> words{lanescope_program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = environment_with(home_);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, (home_ / "log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (posix_spawn(&id_, words.front().c_str(), &actions, nullptr, pointers_to(words).data(),
                  pointers_to(environment).data()) != 0)
    id_ = -1;
  posix_spawn_file_actions_destroy(&actions);
}

WindowProcess::~WindowProcess() { end(SIGKILL); }

bool WindowProcess::runs() {
  if (id_ > 0 && waitpid(id_, nullptr, WNOHANG) == id_) id_ = -1;
  return id_ > 0;
}

namespace {

constexpr int kTries = 600;
constexpr std::chrono::milliseconds kPause{50};

/// Processes that were started with these folders of a person.
std::vector<pid_t> processes_of(const std::filesystem::path& home) {
  std::vector<pid_t> found;
  const std::string entry = "XDG_STATE_HOME=" + home.string();
  std::error_code ignored;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", ignored)) {
    const pid_t id = std::atoi(folder.path().filename().c_str());
    std::ifstream environment(folder.path() / "environ", std::ios::binary);
    for (std::string text; id > 0 && std::getline(environment, text, '\0');)
      if (text == entry) found.push_back(id);
  }
  return found;
}

}  // namespace

bool WindowProcess::wait_until(const std::function<bool()>& is_so) {
  for (int n = 0; n < kTries && runs() && !is_so(); ++n) std::this_thread::sleep_for(kPause);
  return is_so();
}

bool WindowProcess::wait_for_window_of_it(const std::function<bool()>& is_so) {
  for (int n = 0; n < kTries && !is_so(); ++n) std::this_thread::sleep_for(kPause);
  for (const pid_t id : processes_of(home_)) kill(id, SIGTERM);
  return is_so();
}

void WindowProcess::end(int signal) {
  if (!runs()) return;
  kill(id_, signal);
  waitpid(id_, nullptr, 0);
  id_ = -1;
}

std::string WindowProcess::kept(const std::string& key) const {
  std::ifstream settings(home_ / "lanescope/window.toml");
  for (std::string line; std::getline(settings, line);)
    if (line.starts_with(key + " = ")) return line.substr(key.size() + 3);
  return {};
}

std::string WindowProcess::log() const {
  std::ifstream stream(home_ / "log", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace lanescope::tests
