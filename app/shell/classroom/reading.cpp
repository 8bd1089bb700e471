#include "shell/classroom/reading.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

constexpr uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
/// All that the first version of Landlock governs.
constexpr uint64_t kGoverned = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1;

std::unexpected<Error> refused(const char* what) {
  return fail(ErrorKind::Unsupported,
              fmt::format("a class's sources are compiled where the kernel keeps the compiler from this "
                          "machine's files (Landlock, Linux 5.13 or newer), and here {} failed: {}",
                          what, std::generic_category().message(errno)));
}

/// Allows reading below `place`, if it exists. Whether that was done.
bool allow(int rules, const std::filesystem::path& place) {
  const int file = open(place.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return true;
  struct stat status{};
  const bool is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = is_folder ? kReading : uint64_t{LANDLOCK_ACCESS_FS_READ_FILE};
  rule.parent_fd = file;
  const bool is_allowed = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(file);
  return is_allowed;
}

}  // namespace

Result<void> read_only_below(const std::vector<std::filesystem::path>& places) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = kGoverned;
  const auto rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
  if (rules < 0) return refused("landlock_create_ruleset");
  for (const std::filesystem::path& place : places)
    if (!allow(rules, place)) return close(rules), refused("landlock_add_rule");
  const bool is_done =
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  if (!is_done) return close(rules), refused("landlock_restrict_self");
  close(rules);
  return {};
}

Result<void> limit_this_process(const ProcessLimits& limits) {
  const auto set = [](auto resource, rlim_t value) {
    const rlimit both{value, value};
    return setrlimit(resource, &both) == 0;
  };
  constexpr rlim_t kMegabyte = rlim_t{1} << 20;
  if (set(RLIMIT_CPU, limits.seconds) && set(RLIMIT_AS, limits.megabytes * kMegabyte) &&
      set(RLIMIT_FSIZE, limits.written_megabytes * kMegabyte) && set(RLIMIT_CORE, 0))
    return {};
  return fail(ErrorKind::Internal, fmt::format("the limits of the compiler's process were refused: {}",
                                               std::generic_category().message(errno)));
}

}  // namespace lanescope::shell
