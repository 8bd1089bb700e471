// `lanescope trace --counters`: counters of another machine beside both levels.

#include "support/four_kernel.h"
#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

class Counters : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return (folder_.path() / name).string();
  }
  /// A profile of two launches of the kernel, the first with another grid.
  std::string profile(const std::string& kernel) const {
    return file("p.csv",
                "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\","
                "\"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum\","
                "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\"\n"
                "\"\",\"\",\"\",\"\",\"\",\"\",\"request\"\n"
                "\"0\",\"" +
                    kernel +
                    "(const float *, float *)\",\"(32, 1, 1)\",\"(9, 1, 1)\",\"9.0\",\"36\",\"36\"\n"
                    "\"1\",\"" +
                    kernel + "(const float *, float *)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"9.0\",\"4\",\"5\"\n");
  }
  Finished run(const std::string& profile, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"trace",      file("four.cu", tests::kFourKernel),
                                   "--grid",     "1",
                                   "--block",    "32",
                                   "--arg",      "in=f32[128]:iota",
                                   "--arg",      "out=f32[32]:zeros",
                                   "--counters", profile};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// There is no compiler.
  static bool cannot_compile(const Finished& finished) {
    return finished.error.contains("NVRTC") && finished.error.contains("not found");
  }
  tests::TemporaryFolder folder_{"counters"};
};

TEST_F(Counters, stand_beside_both_levels_with_the_reason_of_a_difference) {
  const Finished finished = run(profile("four"));
  if (cannot_compile(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("launch 2 of 2 of this kernel"));
  EXPECT_THAT(finished.output, HasSubstr("four.cu:6: 4 shared loads of 4 bytes of the PTX are LDS.128"));
  EXPECT_THAT(finished.output, HasSubstr("1 of 2 counters are explained"));
  EXPECT_THAT(finished.output, testing::Not(HasSubstr("machine code for sm_90"))) << "the level is the PTX's";

  const Json report = Json::parse(run(profile("four"), {"--json"}).output);
  EXPECT_EQ(report["level"], "ptx");
  // The PTX has 4 requests of 4 wavefronts, the machine code one of 4.
  EXPECT_EQ(report["totals"]["shared_load"]["wavefronts"], 16);
  const Json& counts = report["counters"]["counts"];
  ASSERT_EQ(counts.size(), 2u);
  const Json& requests = counts[0]["counter"] == 5 ? counts[0] : counts[1];
  const Json& wavefronts = counts[0]["counter"] == 5 ? counts[1] : counts[0];
  EXPECT_EQ(wavefronts["ptx"], 16);
  EXPECT_EQ(wavefronts["sass"], 4);
  EXPECT_EQ(wavefronts["explained_by"], "sass");
  EXPECT_EQ(requests["ptx"], 4);
  EXPECT_EQ(requests["explained_by"], "neither");
}

TEST_F(Counters, of_something_else_are_one_sentence) {
  const auto expect_refused = [&](const std::string& csv, const std::string& why, int status) {
    const Finished finished = run(csv);
    if (cannot_compile(finished)) return;
    EXPECT_EQ(finished.status, status) << finished.error;
    EXPECT_THAT(finished.error, HasSubstr(why));
    EXPECT_EQ(finished.output, "");
  };
  expect_refused(profile("other"), "the profile has no launch of 'four'; its kernels are other", 2);
  expect_refused(file("empty.csv", ""), "the file is empty", 1);
  expect_refused((folder_.path() / "none.csv").string(), "none.csv", 1);
  expect_refused("", "--counters takes the name of a file", 2);
  const Finished shape = run(profile("four"), {"--then", "four", "--arg", "in", "--arg", "out"});
  if (cannot_compile(shape)) return;
  EXPECT_EQ(shape.status, 2);
  EXPECT_THAT(shape.error, HasSubstr("fewer launches of 'four' with grid 1 and block 32"));
}

}  // namespace
}  // namespace lanescope
