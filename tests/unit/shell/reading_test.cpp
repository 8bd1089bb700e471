#include "shell/classroom/reading.h"

#include "base/file.h"
#include "base/temporary_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

/// 0 if this process, which may read below `folder` alone, reads `folder`/in, and neither reads `outside` nor
/// writes.
int status_of_a_bounded_process(const std::filesystem::path& folder, const std::filesystem::path& outside) {
  if (!read_only_below({folder, "/nowhere"})) return 1;
  if (!read_text(folder / "in")) return 2;
  if (read_text(outside)) return 3;
  if (write_file(folder / "new", "text")) return 4;
  return 0;
}

TEST(Reading, a_bounded_process_reads_below_its_places_alone_and_writes_nothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto folder = TemporaryFolder::make("reading"), other = TemporaryFolder::make("reading");
  ASSERT_TRUE(folder && other);
  ASSERT_TRUE(write_file(*folder / "in", "text"));
  ASSERT_TRUE(write_file(*other / "out", "text"));
  ASSERT_TRUE(read_text(*other / "out"));
  EXPECT_EXIT(_exit(status_of_a_bounded_process(folder->path(), *other / "out")), testing::ExitedWithCode(0),
              "");
}

}  // namespace
}  // namespace lanescope::shell
