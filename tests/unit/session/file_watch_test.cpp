#include "session/file_watch.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class FileWatchTest : public testing::Test {
 protected:
  std::filesystem::path file(const char* name) const { return folder_.path() / name; }
  void write(const char* name, const char* text) const { std::ofstream(file(name)) << text; }

  tests::TemporaryFolder folder_{"file-watch"};
  FileWatch watch_;
};

TEST_F(FileWatchTest, a_file_that_rests_has_no_change) {
  write("a", "one");
  watch_.follow({file("a")});
  EXPECT_FALSE(watch_.has_change());
  EXPECT_FALSE(watch_.has_change());
}

TEST_F(FileWatchTest, a_change_counts_once_it_rests_and_only_once) {
  write("a", "one");
  watch_.follow({file("a")});
  write("a", "longer");
  EXPECT_FALSE(watch_.has_change()) << "it may still be written";
  write("a", "longer still");
  EXPECT_FALSE(watch_.has_change()) << "it was written again";
  EXPECT_TRUE(watch_.has_change());
  EXPECT_FALSE(watch_.has_change());
}

TEST_F(FileWatchTest, a_file_that_appears_or_goes_away_is_a_change) {
  watch_.follow({file("a")});
  write("a", "one");
  (void)watch_.has_change();
  EXPECT_TRUE(watch_.has_change());
  std::filesystem::remove(file("a"));
  (void)watch_.has_change();
  EXPECT_TRUE(watch_.has_change());
}

TEST_F(FileWatchTest, a_change_during_a_run_is_not_lost_when_the_same_file_is_followed_again) {
  write("a", "one");
  watch_.follow({file("a")});
  watch_.note();
  write("a", "longer");  // after it was read
  watch_.follow({file("a"), file("b")});
  (void)watch_.has_change();
  EXPECT_TRUE(watch_.has_change());
}

TEST_F(FileWatchTest, what_was_noted_before_reading_is_no_change) {
  write("a", "one");
  watch_.follow({file("a")});
  write("a", "longer");
  watch_.note();
  EXPECT_FALSE(watch_.has_change());
  EXPECT_FALSE(watch_.has_change());
}

}  // namespace
}  // namespace lanescope::session
