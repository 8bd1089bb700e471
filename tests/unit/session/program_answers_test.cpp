// Which programs may run, kept in a file that may come to any harm.

#include "session/program_answers.h"

#include "support/temporary_folder.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

constexpr ProgramAnswer kMayRun{.may = ProgramAnswer::May::Run, .key = "k1"};

class ProgramAnswers : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  std::string text() const {
    std::stringstream all;
    all << std::ifstream(file_).rdbuf();
    return all.str();
  }
  tests::TemporaryFolder folder_{"answers"};
  std::filesystem::path file_ = folder_ / "config" / "programs.toml";
};

TEST_F(ProgramAnswers, are_found_by_the_path_of_the_source) {
  keep_answer(file_, "/a/b c \"d\".cu", kMayRun);
  keep_answer(file_, "/a/other.cu", {.may = ProgramAnswer::May::NotRun, .key = "k2"});
  const auto found = find_answer(file_, "/a/b c \"d\".cu");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->may, ProgramAnswer::May::Run);
  EXPECT_EQ(found->key, "k1");
  EXPECT_EQ(find_answer(file_, "/a/other.cu")->may, ProgramAnswer::May::NotRun);
  EXPECT_FALSE(find_answer(file_, "/a/b"));
}

TEST_F(ProgramAnswers, a_later_one_replaces_an_earlier_one) {
  keep_answer(file_, "/a.cu", kMayRun);
  keep_answer(file_, "/a.cu", {.may = ProgramAnswer::May::NotRun, .key = "k2"});
  EXPECT_EQ(find_answer(file_, "/a.cu")->may, ProgramAnswer::May::NotRun);
  EXPECT_EQ(text().find("k1"), std::string::npos);
}

TEST_F(ProgramAnswers, the_earliest_of_too_many_are_forgotten) {
  for (int n = 0; n < 203; ++n) keep_answer(file_, "/" + std::to_string(n) + ".cu", kMayRun);
  EXPECT_FALSE(find_answer(file_, "/2.cu"));
  EXPECT_TRUE(find_answer(file_, "/3.cu"));
  EXPECT_TRUE(find_answer(file_, "/202.cu"));
}

TEST_F(ProgramAnswers, a_damaged_file_is_no_answer_and_is_written_anew) {
  keep_answer(file_, "/a.cu", kMayRun);
  const std::string whole = text();
  const std::string deep(100000, '[');
  for (const std::string& harm :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("program = 5"),
        std::string("program = [1, \"x\", []]"), std::string("[program]\nsource = \"/a.cu\"\nmay = \"run\""),
        std::string("[[program]]\nsource = \"/a.cu\"\nmay = \"run\""),
        std::string("[[program]]\nsource = \"/a.cu\"\ntext = 7\nmay = \"run\""),
        std::string("[[program]]\nsource = \"/a.cu\"\ntext = \"k1\"\nmay = true"),
        std::string("[[program]]\nsource = \"/a.cu\"\ntext = \"k1\"\nmay = \"RUN\""),
        std::string("\xff\xfe\x00x", 4), "x = " + deep, whole + std::string(2 << 20, '#')}) {
    write(harm);
    EXPECT_FALSE(find_answer(file_, "/a.cu")) << harm.substr(0, 80);
    keep_answer(file_, "/b.cu", kMayRun);
    EXPECT_TRUE(find_answer(file_, "/b.cu")) << harm.substr(0, 80);
  }
}

TEST_F(ProgramAnswers, where_nothing_can_be_kept_nothing_is) {
  keep_answer({}, "/a.cu", kMayRun);
  EXPECT_FALSE(find_answer({}, "/a.cu"));
  std::filesystem::create_directories(file_);  // a folder has its name
  keep_answer(file_, "/a.cu", kMayRun);
  EXPECT_FALSE(find_answer(file_, "/a.cu"));
}

}  // namespace
}  // namespace lanescope::session
