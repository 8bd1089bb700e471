// The built program with its window, on the screen of the tests, with settings and state in a folder of the
// test. For tests of how it opens, and of what remains when it ends.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lanescope::tests {

/// Whether there is a screen for windows.
bool has_screen();

class WindowProcess {
 public:
  /// Starts `lanescope ARGUMENTS` in the working folder of the test, with `home` for the person's own files.
  WindowProcess(std::filesystem::path home, const std::vector<std::string>& arguments);
  /// Kills it, if it still runs.
  ~WindowProcess();
  WindowProcess(const WindowProcess&) = delete;
  WindowProcess& operator=(const WindowProcess&) = delete;

  pid_t id() const { return id_; }
  /// Waits until it is so, at most 30 s or until the program ends. Returns whether it is so.
  bool wait_until(const std::function<bool()>& is_so);
  /// As long as a window of its own that the program has left may take, which then ends too.
  bool wait_for_window_of_it(const std::function<bool()>& is_so);
  /// Whether it runs; waits for nothing.
  bool runs();
  /// Ends it with this signal.
  void end(int signal);
  /// What the window keeps of itself once it is drawn, as written in its settings: "'warp'", "true"; empty
  /// where it has not.
  std::string kept(const std::string& key) const;
  /// What the program said.
  std::string log() const;

 private:
  std::filesystem::path home_;
  pid_t id_ = -1;  // -1: it ended
};

}  // namespace lanescope::tests
