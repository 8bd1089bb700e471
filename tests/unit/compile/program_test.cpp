#include "compile/program.h"

#include "support/temporary_folder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace lanescope::compile {
namespace {

TEST(Program, the_first_error_of_nvcc_is_found_among_its_words) {
  EXPECT_EQ(first_error_of("In file included from a.cu:1:\na.cu(7): error: identifier \"x\" is undefined\n"),
            "a.cu:7: error: identifier \"x\" is undefined");
  EXPECT_EQ(
      first_error_of("a.cu:3:10: fatal error: helper_cuda.h: No such file or directory\n 3 | #include\n"),
      "a.cu:3:10: fatal error: helper_cuda.h: No such file or directory");
  EXPECT_EQ(
      first_error_of("/usr/bin/ld: a.o: in function `main':\na.cu:(.text+0x5): undefined reference to `f'\n"),
      "a.cu:(.text+0x5): undefined reference to `f'");
  EXPECT_EQ(first_error_of("/usr/bin/ld: /tmp/tmpxft_1_0-11_a.o: in function `main':\n"
                           "tmpxft_1_0-6_a.cudafe1.cpp:(.text+0x5): undefined reference to `glClear'\n"),
            "undefined reference to `glClear'");
  EXPECT_EQ(first_error_of("\nnvcc fatal : no input\n"), "nvcc fatal : no input");
  EXPECT_EQ(first_error_of(""), "");
}

TEST(Program, the_folder_of_programs_is_this_user_s_alone) {
  const tests::TemporaryFolder folder{"programs"};
  EXPECT_TRUE(make_private_folder(folder / "new"));
  struct stat found{};
  ASSERT_EQ(stat((folder / "new").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777u, 0700u);
  EXPECT_TRUE(make_private_folder(folder / "new")) << "a second time";
  std::filesystem::permissions(folder / "new", std::filesystem::perms(0770));
  EXPECT_FALSE(make_private_folder(folder / "new")) << "others could put a program there";
  std::filesystem::create_symlink("new", folder / "link");
  EXPECT_FALSE(make_private_folder(folder / "link"));
}

}  // namespace
}  // namespace lanescope::compile
