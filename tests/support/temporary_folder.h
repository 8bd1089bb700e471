// A folder of a test's own, which is gone when this is. Its name is new each time, so that two test programs
// on one machine never collide.

#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include <stdlib.h>

namespace lanescope::tests {

class TemporaryFolder {
 public:
  /// lanescope-NAME-XXXXXX where the system keeps such folders. Throws where none can be made.
  explicit TemporaryFolder(const std::string& name)
      : path_((std::filesystem::temp_directory_path() / ("lanescope-" + name + "-XXXXXX")).string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::system_error(errno, std::generic_category(), path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path() / name; }

 private:
  std::string path_;
};

}  // namespace lanescope::tests
