#include "base/file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lanescope-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(File, bytes_arrive_and_nothing_else_is_left) {
  ASSERT_TRUE(write_file(folder_ / "a.csv", std::string_view("1\0002", 3)));
  EXPECT_EQ(read(folder_ / "a.csv"), std::string("1\0002", 3));
  EXPECT_EQ(files(), 1);
}

TEST_F(File, an_old_file_is_replaced_and_keeps_its_mode) {
  std::ofstream(folder_ / "a.csv") << "old and longer";
  ASSERT_EQ(chmod((folder_ / "a.csv").c_str(), 0640), 0);
  ASSERT_TRUE(write_file(folder_ / "a.csv", "new"));
  EXPECT_EQ(read(folder_ / "a.csv"), "new");
  struct stat status{};
  ASSERT_EQ(stat((folder_ / "a.csv").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640);
}

TEST_F(File, a_new_file_follows_the_umask) {
  const mode_t before = umask(027);
  const auto written = write_file(folder_ / "a.csv", "x");
  umask(before);
  ASSERT_TRUE(written);
  struct stat status{};
  ASSERT_EQ(stat((folder_ / "a.csv").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640);
}

TEST_F(File, a_link_stays_a_link) {
  std::ofstream(folder_ / "real.csv") << "old";
  fs::create_symlink("real.csv", folder_ / "link.csv");
  ASSERT_TRUE(write_file(folder_ / "link.csv", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.csv"));
  EXPECT_EQ(read(folder_ / "real.csv"), "new");
}

TEST_F(File, a_missing_directory_is_named) {
  const auto written = write_file(folder_ / "none" / "a.csv", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::File);
  EXPECT_NE(written.error().message.find("none/a.csv' cannot be written"), std::string::npos)
      << written.error().message;
  EXPECT_NE(written.error().message.find("make the directory first"), std::string::npos);
}

TEST_F(File, a_directory_is_not_a_file) {
  const auto written = write_file(folder_, "x");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("is a directory"), std::string::npos);
}

TEST_F(File, an_unwritable_directory_says_so_and_keeps_the_old_file) {
  std::ofstream(folder_ / "a.csv") << "old";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  // Root may write anywhere, so a test that runs as root temporarily becomes the user nobody.
  constexpr uid_t kNobody = 65534;
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || seteuid(kNobody) == 0);
  const auto written = write_file(folder_ / "a.csv", "new");
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("a directory that you may write to"), std::string::npos);
  EXPECT_EQ(read(folder_ / "a.csv"), "old");
}

TEST_F(File, a_write_check_leaves_no_file) {
  std::ofstream(folder_ / "a.csv") << "old";
  EXPECT_TRUE(check_place(folder_ / "a.csv"));
  EXPECT_TRUE(check_place(folder_ / "b.csv"));
  EXPECT_TRUE(check_place("/dev/null"));
  EXPECT_EQ(read(folder_ / "a.csv"), "old");
  EXPECT_EQ(files(), 1);
  for (const fs::path& place : {folder_, folder_ / "none" / "a.csv", folder_ / "a.csv" / "b.csv"}) {
    const auto tried = check_place(place);
    const auto written = write_file(place, "x");
    ASSERT_FALSE(tried) << place;
    ASSERT_FALSE(written) << place;
    EXPECT_EQ(tried.error().message, written.error().message);
  }
}

TEST_F(File, a_device_is_written_and_not_replaced) {
  ASSERT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(File, a_full_disk_says_so) {
  const auto written = write_file("/dev/full", "x");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("No space left on device; free some room"), std::string::npos)
      << written.error().message;
}

TEST_F(File, a_write_that_fails_halfway_leaves_the_old_file_and_no_other) {
  std::ofstream(folder_ / "a.csv") << "old";
  // The limit on file size simulates a disk that fills up while writing.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1024, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = write_file(folder_ / "a.csv", std::string(4096, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, signal_before);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::File);
  EXPECT_EQ(read(folder_ / "a.csv"), "old");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace lanescope
