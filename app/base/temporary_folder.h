// A folder for the files of one piece of work, which only this user can enter and which goes with its owner.
// Method: mkdtemp(), so that no other program can have taken its name; the owner holds a lock (flock) on the
// folder, and the next one of that name removes those whose owners were killed. Tests:
// tests/unit/base/temporary_folder_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace lanescope {

class TemporaryFolder {
 public:
  /// lanescope-NAME.XXXXXX where the system keeps such folders. Errors: File.
  static Result<TemporaryFolder> make(std::string_view name);
  /// NAME.XXXXXX in `parent`, for what is to be renamed within it. Errors: File.
  static Result<TemporaryFolder> make_in(const std::filesystem::path& parent, std::string_view name);
  /// Removes the folder and all that is in it, unless it was renamed.
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  TemporaryFolder(std::filesystem::path path, int lock);
  std::filesystem::path path_;  // empty: moved from
  int lock_ = -1;               // a descriptor of the folder, which is locked while it is open
};

/// Removes folders NAME.XXXXXX of this user in `parent` whose owners have ended without removing them. One
/// that was made within the last `least_age_seconds` stays: its owner may be about to lock it.
void remove_abandoned_folders(const std::filesystem::path& parent, std::string_view name,
                              double least_age_seconds);

}  // namespace lanescope
