#include "base/temporary_folder.h"

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandomPart = ".XXXXXX";
constexpr double kLeastAgeSeconds = 60;

/// A descriptor of a folder with its lock; -1: another process holds the lock, or it is no folder.
int lock(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Whether this user made it, and how long ago it was changed.
bool is_own_and_older(const fs::path& folder, double seconds) {
  struct stat found{};
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid())
    return false;
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return now - static_cast<double>(found.st_mtim.tv_sec) >= seconds;
}

}  // namespace

void remove_abandoned_folders(const fs::path& parent, std::string_view name, double least_age_seconds) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string found = entry.path().filename().string();
    if (found.size() != name.size() + kRandomPart.size() || !found.starts_with(name) ||
        found[name.size()] != kRandomPart.front() || !is_own_and_older(entry.path(), least_age_seconds))
      continue;
    const int descriptor = lock(entry.path());
    if (descriptor < 0) continue;
    fs::remove_all(entry.path(), ignored);
    close(descriptor);
  }
}

TemporaryFolder::TemporaryFolder(fs::path path, int lock) : path_(std::move(path)), lock_(lock) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

Result<TemporaryFolder> TemporaryFolder::make(std::string_view name) {
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  return make_in(failed ? fs::path("/tmp") : parent, fmt::format("lanescope-{}", name));
}

Result<TemporaryFolder> TemporaryFolder::make_in(const fs::path& parent, std::string_view name) {
  remove_abandoned_folders(parent, name, kLeastAgeSeconds);
  std::string path = (parent / fmt::format("{}{}", name, kRandomPart)).string();
  if (mkdtemp(path.data()) != nullptr) return TemporaryFolder(path, lock(path));
  return fail(
      ErrorKind::File,
      fmt::format("a folder for temporary files cannot be made here: {}; free some room, or set TMPDIR",
                  std::generic_category().message(errno)),
      Location{parent.string(), 0});
}

}  // namespace lanescope
