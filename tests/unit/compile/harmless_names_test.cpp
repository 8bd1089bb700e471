#include "compile/harmless_names.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

class HarmlessNames : public testing::Test {
 protected:
  fs::path made(const fs::path& name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "text of " << name.filename().string();
    return folder_ / name;
  }
  static std::string text(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  tests::TemporaryFolder folder_{"names"};
  fs::path links_ = links_folder(folder_ / "cache");
};

TEST_F(HarmlessNames, a_name_that_a_shell_takes_as_it_is_stays) {
  const fs::path file = made("a b/it's; (a) & #1.cu");
  EXPECT_EQ(harmless_file(file, links_), file);
  EXPECT_EQ(harmless_folder(file.parent_path(), links_), file.parent_path());
  EXPECT_FALSE(fs::exists(links_));
}

TEST_F(HarmlessNames, another_is_linked_and_leads_back) {
  for (const char* name : {"a$b.cu", "a`touch x`.cu", "a\"b.cu", "a\\b.cu"}) {
    const fs::path file = made(name);
    const auto harmless = harmless_file(file, links_);
    ASSERT_TRUE(harmless) << name;
    EXPECT_TRUE(is_harmless(*harmless));
    EXPECT_EQ(harmless->extension(), ".cu");
    EXPECT_EQ(text(*harmless), text(file));
    EXPECT_EQ(with_own_names(harmless->string()), file.string());
    EXPECT_EQ(with_own_names(harmless->string() + "(3): error: x in \"" + harmless->string() + "\"\n"),
              file.string() + "(3): error: x in \"" + file.string() + "\"\n");
  }
}

TEST_F(HarmlessNames, of_a_file_no_link_leads_to_another_name) {
  const fs::path file = made("50$/mine.cu");
  fs::create_symlink(file, folder_ / "link.cu");
  for (const fs::path& one : {file, folder_ / "link.cu"}) {
    const auto harmless = harmless_file(one, links_);
    ASSERT_TRUE(harmless);
    EXPECT_TRUE(is_harmless(fs::canonical(*harmless))) << "nvcc hands this name to a shell";
    EXPECT_EQ(text(*harmless), "text of mine.cu");
    EXPECT_EQ(with_own_names(harmless->string()), one.string());
  }
}

TEST_F(HarmlessNames, a_copy_is_made_again_when_the_file_has_changed) {
  const fs::path file = made("a$b.cu");
  const auto copy = harmless_file(file, links_);
  ASSERT_TRUE(copy);
  const auto first = fs::last_write_time(*copy);
  ASSERT_TRUE(harmless_file(file, links_));
  EXPECT_EQ(fs::last_write_time(*copy), first);
  std::ofstream(file) << "another";
  EXPECT_EQ(harmless_file(file, links_), *copy);
  EXPECT_EQ(text(*copy), "another");
}

TEST_F(HarmlessNames, a_folder_is_linked) {
  made("50$/mine.h");
  const auto harmless = harmless_folder(folder_ / "50$", links_);
  ASSERT_TRUE(harmless);
  EXPECT_TRUE(is_harmless(*harmless));
  EXPECT_EQ(text(*harmless / "mine.h"), "text of mine.h");
  EXPECT_EQ(with_own_names((*harmless / "mine.h").string() + ":3"), (folder_ / "50$/mine.h").string() + ":3");
}

TEST_F(HarmlessNames, a_macro_is_defined_by_a_header) {
  const auto header = harmless_macro("N=$(touch x)", links_);
  ASSERT_TRUE(header);
  EXPECT_TRUE(is_harmless(*header));
  EXPECT_EQ(text(*header), "#define N $(touch x)\n");
  const auto first = fs::last_write_time(*header);
  EXPECT_EQ(harmless_macro("N=$(touch x)", links_), *header);
  EXPECT_EQ(fs::last_write_time(*header), first);
  const auto quoted = harmless_macro("NAME=\"a b\"", links_);
  ASSERT_TRUE(quoted);
  EXPECT_EQ(text(*quoted), "#define NAME \"a b\"\n");
  EXPECT_EQ(text(*harmless_macro("$", links_)), "#define $ 1\n");
  EXPECT_EQ(harmless_macro("N=1\n#include \"/etc/passwd\"", links_).error().kind, ErrorKind::Usage);
}

TEST_F(HarmlessNames, texts_without_links_stay) {
  for (const char* text : {"", "/y/lanescope-links", "/x/lanescope-links/none.cu:3: error", "a.cu"})
    EXPECT_EQ(with_own_names(text), text);
}

TEST_F(HarmlessNames, where_no_link_can_be_made_it_says_so) {
  const auto none = harmless_file(made("a$b.cu"), "/proc/none/links");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::File);
  EXPECT_NE(none.error().message.find("a$b.cu"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::compile
