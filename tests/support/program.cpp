#include "support/program.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace lanescope::tests {
namespace {

/// A file that is gone when this is: the program's output cannot block on it as on a pipe.
class TemporaryFile {
 public:
  TemporaryFile() : path_("/tmp/lanescope_program_XXXXXX"), descriptor_(mkstemp(path_.data())) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close(descriptor_);
    unlink(path_.c_str());
  }
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::string path_;
  int descriptor_;
};

}  // namespace

Finished run_program(const std::vector<std::string>& arguments) { return run_program_in({}, arguments); }

Finished run_program_in(const Place& place, const std::vector<std::string>& arguments) {
  const TemporaryFile output;
  const TemporaryFile error;
  std::vector<char*> words{const_cast<char*>(place.program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (place.output.empty())
    posix_spawn_file_actions_adddup2(&actions, output.descriptor(), 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, place.output.c_str(), O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, error.descriptor(), 2);
  pid_t child = 0;
  const int started = posix_spawn(&child, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (started != 0) return {-1, "", "the program could not be started: " + place.program};
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.text(), error.text()};
}

}  // namespace lanescope::tests
