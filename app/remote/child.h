// A process at the other end of a channel: this program again, or ssh. Its standard error is kept, since it
// says why a connection failed. Tests:
// tests/unit/remote/connection_test.cpp

#pragma once

#include "remote/message.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace lanescope::remote {

/// Ends with its owner: its input closes, and if it does not go by itself it is killed.
class Child {
 public:
  /// Starts words[0], looked up in PATH, and the channel to its standard input and output. Error (File): it
  /// cannot be started.
  static Result<std::pair<Child, Channel>> start(const std::vector<std::string>& words);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  /// What it has written to standard error so far, at most its last 4 KB, without the newline at the end.
  std::string complaint() const;

 private:
  Child(pid_t process, int complaints);
  void end() noexcept;
  pid_t process_ = -1;
  int complaints_ = -1;  // a file without a name
};

}  // namespace lanescope::remote
