// Notices that files were changed by another program. Method: asks for their times and sizes when the caller
// calls; a change counts once it is the same in two calls, since editors write a file in steps.
// Tests: tests/unit/session/file_watch_test.cpp

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lanescope::session {

class FileWatch {
 public:
  /// Watches these from now on. Those that were watched before keep what is known of them; the others are
  /// known as they are now, and watched for where they do not exist.
  void follow(const std::vector<std::filesystem::path>& files);
  bool is_empty() const { return files_.empty(); }
  /// From now on the files as they are now are known: to be called before they are read.
  void note();
  /// Whether a file has changed since it was known, and rests now. It is known from then on.
  bool has_change();

 private:
  struct State {
    std::filesystem::file_time_type time{};
    uintmax_t bytes = 0;
    bool operator==(const State&) const = default;
  };
  static State look(const std::filesystem::path& file);
  std::vector<State> look() const;

  std::vector<std::filesystem::path> files_;
  std::vector<State> known_, last_;  // [file]
};

}  // namespace lanescope::session
