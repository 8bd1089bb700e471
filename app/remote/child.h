// A child process at the other end of a channel: this program or ssh. Its standard error is captured, since
// it says why a connection failed. Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "remote/message.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace lanescope::remote {

/// Ends with its owner: its input closes, and if the process does not end, it is killed.
class Child {
 public:
  /// Starts words[0], looked up in PATH, and the channel to its standard input and output. Error (File): it
  /// cannot be started.
  static Result<std::pair<Child, Channel>> start(const std::vector<std::string>& words);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  /// Its standard error so far, at most the last 4 KB, without the final newline.
  std::string complaint() const;

 private:
  Child(pid_t process, int complaints);
  void end() noexcept;
  pid_t process_ = -1;
  int complaints_ = -1;  // an unnamed file
};

}  // namespace lanescope::remote
