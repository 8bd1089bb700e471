// `lanescope plot --from`: figures and tables of a sweep, with counts computed by hand.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

class SweepPlot : public testing::Test {
 protected:
  void SetUp() override {
    const Finished swept = run_program({"sweep", "--lesson", "transpose", "--set", "size=64,128", "--set",
                                        "padding=0,1", "-o", path("s.sqlite")});
    ASSERT_EQ(swept.status, 0) << swept.error;
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  Finished plot(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"plot", "--from", path("s.sqlite")};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  tests::TemporaryFolder folder_{"sweep-plot"};
};

/// 64 x 64 floats are 128 warps, each with a load and a store of shared memory. Without padding the loads
/// take 32 wavefronts each, with it all take one: 128 x 33 and 128 x 2.
TEST_F(SweepPlot, lines_have_the_numbers_of_the_runs) {
  const Finished done = plot({"--x", "size", "--y", "wavefronts", "--by", "padding", "-o", path("x.json")});
  ASSERT_EQ(done.status, 0) << done.error;
  std::ifstream file(path("x.json"));
  const auto figure = nlohmann::json::parse(file);
  EXPECT_EQ(figure["provenance"], "emulated");
  std::vector<double> values;
  for (const auto& row : figure["rows"]) values.push_back(row["wavefronts"]);
  EXPECT_THAT(values, testing::ElementsAre(4224, 4 * 4224, 256, 4 * 256));
}

TEST_F(SweepPlot, draws_lines_and_maps_in_each_format) {
  for (const char* as : {"lines", "map"})
    for (const char* name : {"x.svg", "x.png", "x.pdf", "x.csv"}) {
      const Finished done = plot({"--x", "size", "--y", "sectors", "--by", "padding", "--as", as, "--theme",
                                  "dark", "-o", path(name)});
      EXPECT_EQ(done.status, 0) << done.error;
      EXPECT_GT(std::filesystem::file_size(path(name)), 100u);
    }
}

TEST_F(SweepPlot, a_table_says_which_are_best) {
  const Finished text = plot({"--x", "size", "--y", "wavefronts", "--as", "best"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_THAT(text.output, HasSubstr("least wavefronts by size (emulated), lesson transpose\n"));
  EXPECT_THAT(text.output, HasSubstr("64           256  1               2\n"));
  const Finished largest = plot({"--y", "wavefronts", "--as", "best", "--largest", "-o", path("x.csv")});
  EXPECT_EQ(largest.status, 0) << largest.error;
  std::ifstream file(path("x.csv"));
  const std::string table{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(table, HasSubstr("\n16896,128,0,4\n"));
}

TEST_F(SweepPlot, refuses_in_one_sentence) {
  const std::string out = path("x.svg");
  const struct {
    std::vector<std::string> words;
    int status;
    const char* says;
  } kCases[] = {
      {{"--x", "size", "--by", "padding", "-o", out}, 2, "--y NUMBER is missing"},
      {{"--y", "sectors", "-o", out}, 2, "--x AXIS is missing"},
      {{"--x", "size", "--y", "sectors", "-o", out}, 2, "give --where padding=0, or --by padding"},
      {{"--x", "size", "--y", "sectors", "--as", "map", "-o", out}, 2, "--by AXIS is missing"},
      {{"--x", "size", "--y", "sectors", "--by", "padding"}, 2, "svg"},
      {{"--x", "size", "--y", "sectors", "--as", "best", "-o", out}, 2, "a table of the best is text"},
      {{"--x", "size", "--y", "sectors", "--where", "padding", "-o", out}, 2, "--where takes AXIS=VALUE"},
      {{"--x", "size", "--y", "sectors", "--figure", "banks", "-o", out}, 2, "leave out --figure"},
  };
  for (const auto& [words, status, says] : kCases) {
    const Finished done = plot(words);
    EXPECT_EQ(done.status, status) << done.error;
    EXPECT_THAT(done.error, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
  const Finished missing =
      run_program({"plot", "--from", path("no.sqlite"), "--x", "a", "--y", "b", "-o", out});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.error, HasSubstr("no.sqlite: there is no such file"));
  EXPECT_THAT(run_program({"plot", "--lesson", "transpose", "-o", out}).error,
              HasSubstr("--figure is required"));
}

}  // namespace
}  // namespace lanescope
