#include "base/temporary_folder.h"

#include <fstream>
#include <optional>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, is_there_for_this_user_alone_and_gone_with_its_owner) {
  fs::path path;
  {
    const auto folder = TemporaryFolder::make("owner");
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    EXPECT_TRUE(path.filename().string().starts_with("lanescope-owner."));
    struct stat found{};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u);
    fs::create_directory(*folder / "inner");
    std::ofstream(path / "inner" / "file") << "text";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, goes_with_whom_it_was_moved_to) {
  auto first = TemporaryFolder::make("first"), second = TemporaryFolder::make("second");
  ASSERT_TRUE(first && second);
  const fs::path of_first = first->path(), of_second = second->path();
  EXPECT_NE(of_first, of_second);
  {
    const TemporaryFolder owner = *std::move(first);
    EXPECT_TRUE(fs::exists(of_first));
  }
  EXPECT_FALSE(fs::exists(of_first));
  std::optional<TemporaryFolder> held;
  {
    TemporaryFolder other = *TemporaryFolder::make("third");
    const fs::path of_third = other.path();
    other = *std::move(second);
    EXPECT_EQ(other.path(), of_second);
    held = std::move(other);
  }
  EXPECT_TRUE(fs::exists(of_second));
  held.reset();
  EXPECT_FALSE(fs::exists(of_second));
}

TEST(TemporaryFolder, that_was_renamed_stays_under_its_new_name) {
  const auto parent = TemporaryFolder::make("parent");
  ASSERT_TRUE(parent);
  {
    const auto part = TemporaryFolder::make_in(parent->path(), "part");
    ASSERT_TRUE(part);
    EXPECT_EQ(part->path().parent_path(), parent->path());
    fs::rename(part->path(), *parent / "whole");
  }
  EXPECT_TRUE(fs::exists(*parent / "whole"));
}

TEST(TemporaryFolder, whose_owner_was_killed_is_removed_by_the_next_and_no_other) {
  const auto parent = TemporaryFolder::make("parent");
  ASSERT_TRUE(parent);
  const auto owned = TemporaryFolder::make_in(parent->path(), "part");
  ASSERT_TRUE(owned);
  fs::create_directories(*parent / "part.killed" / "inner");
  fs::create_directories(*parent / "other.killed");
  fs::create_directories(*parent / "part.longer-name");
  std::ofstream(*parent / "part.a_file") << "text";
  remove_abandoned_folders(parent->path(), "part", 3600);
  EXPECT_TRUE(fs::exists(*parent / "part.killed")) << "its owner may be about to lock it";
  remove_abandoned_folders(parent->path(), "part", 0);
  EXPECT_FALSE(fs::exists(*parent / "part.killed"));
  EXPECT_TRUE(fs::exists(owned->path())) << "its owner lives";
  EXPECT_TRUE(fs::exists(*parent / "other.killed"));
  EXPECT_TRUE(fs::exists(*parent / "part.longer-name"));
  EXPECT_TRUE(fs::exists(*parent / "part.a_file"));
}

TEST(TemporaryFolder, says_where_none_can_be_made) {
  const auto none = TemporaryFolder::make_in("/no/such/folder", "part");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::File);
  EXPECT_EQ(none.error().where->file, "/no/such/folder");
  EXPECT_NE(none.error().message.find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
