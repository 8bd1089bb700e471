// `lanescope export`: a saved trace as CSV and as arrays for NumPy, and what is refused.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using tests::Finished;
using tests::run_program;

class ExportVerb : public testing::Test {
 protected:
  void SetUp() override {
    const Finished saved = run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--set",
                                        "kernel=copy", "--save", path("x.lane")});
    ASSERT_EQ(saved.status, 0) << saved.error;
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  tests::TemporaryFolder folder_{"export"};
};

/// A copy of 64 x 64 floats loads and stores each: 8,192 lanes.
TEST_F(ExportVerb, writes_a_row_for_each_lane_next_to_the_trace) {
  const Finished done = run_program({"export", path("x.lane"), "--to", "csv"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "");
  std::ifstream file(path("x.csv"));
  int rows = 0;
  for (std::string line; std::getline(file, line);)
    rows += !line.empty() && line[0] >= '0' && line[0] <= '9' ? 1 : 0;
  EXPECT_EQ(rows, 2 * 64 * 64);
}

TEST_F(ExportVerb, writes_an_archive_for_numpy) {
  EXPECT_EQ(run_program({"export", path("x.lane"), "--to", "npz", "-o", path("y.npz")}).status, 0);
  std::ifstream file(path("y.npz"), std::ios::binary);
  std::string head(4, '\0');
  file.read(head.data(), 4);
  EXPECT_EQ(head, "PK\3\4");
}

TEST_F(ExportVerb, refuses_in_one_sentence) {
  const struct {
    std::vector<std::string> words;
    int status;
    const char* says;
  } kCases[] = {
      {{"mine.cu", "--to", "csv"}, 2, "a saved trace is exported, FILE.lane;"},
      {{path("x.lane"), "--to", "xml"}, 2, "xml"},
      {{path("x.lane")}, 2, "--to is required"},
      {{path("missing.lane"), "--to", "csv"}, 1, "missing.lane: the trace cannot be opened"},
      {{path("x.lane"), "--to", "npz", "-o", path("missing/x.npz")}, 1, "missing/x.npz"},
  };
  for (const auto& [more, status, says] : kCases) {
    std::vector<std::string> words{"export"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, status) << done.error;
    EXPECT_THAT(done.error, testing::HasSubstr(says));
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
}

}  // namespace
}  // namespace lanescope
