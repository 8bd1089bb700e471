// Output and files that cannot be written: a full disk, a read-only project.

#include "support/program.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using tests::Finished;
using tests::run_program_in;

TEST(Place, a_full_disk_on_standard_output_is_an_error_with_status_1) {
  const std::vector<std::vector<std::string>> all{
      {"lesson"},
      {"trace", "--lesson", "transpose", "--set", "size=32"},
      {"trace", "--lesson", "transpose", "--set", "size=32", "--json"},
      {"model", "--lesson", "transpose", "--set", "size=32", "--json"}};
  for (const auto& words : all) {
    const Finished done = run_program_in({.output = "/dev/full"}, words);
    EXPECT_EQ(done.status, 1) << words[0];
    EXPECT_NE(done.error.find("No space left on device"), std::string::npos) << words[0] << done.error;
  }
}

/// Sets XDG_CACHE_HOME to `folder` during its lifetime.
class CacheHome {
 public:
  explicit CacheHome(const fs::path& folder) {
    if (const char* before = std::getenv("XDG_CACHE_HOME"))  // NOLINT(concurrency-mt-unsafe): one thread
      before_ = before;
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
  }
  CacheHome(const CacheHome&) = delete;
  CacheHome& operator=(const CacheHome&) = delete;
  ~CacheHome() {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): as above
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
  }

 private:
  std::string before_;
};

TEST(Place, a_read_only_project_uses_the_users_cache_folder) {
  const tests::TemporaryFolder folder("place");
  const fs::path project = folder / "project", cache = folder / "cache";
  fs::create_directories(project / "build");
  fs::create_directories(cache);
  fs::copy_file(tests::lanescope_program(), project / "build/lanescope");
  fs::create_directory_symlink(tests::source_dir() / "assets", project / "assets");
  fs::create_directory_symlink(tests::source_dir() / "kernels", project / "kernels");
  std::ofstream(project / ".cache") << "a file, so that not even root makes a folder of this name";
  const CacheHome home(cache);
  const Finished done = run_program_in({.program = (project / "build/lanescope").string()}, {"doctor"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_NE(done.output.find((cache / "lanescope/ptx").string()), std::string::npos) << done.output;
  EXPECT_TRUE(fs::is_directory(cache / "lanescope/ptx"))
      << "recordings and settings are next to it, in the program's own folder";
}

}  // namespace
}  // namespace lanescope
