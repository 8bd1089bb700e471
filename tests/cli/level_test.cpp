// `lanescope trace --level sass`: counts of the machine code, and what differs from the PTX.

#include "support/program.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class Level : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lanescope_level_test." + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  /// Skips where there is no compiler.
  bool is_without_compiler(const Finished& finished) const {
    return finished.error.contains("NVRTC") && finished.error.contains("not found");
  }
  fs::path folder_;
};

/// One warp: each lane reads four neighboring words of shared memory, at an address of its own.
const char* const kFour = R"(extern "C" __global__ void four(const float* in, float* out) {
  __shared__ float kept[128];
  for (int n = 0; n < 4; ++n) kept[32 * n + threadIdx.x] = in[32 * n + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int n = 0; n < 4; ++n) sum += kept[4 * threadIdx.x + n];
  out[threadIdx.x] = sum;
}
)";

TEST_F(Level, sass_counts_merged_loads_once_and_says_what_differs) {
  const std::string source = file("four.cu", kFour);
  const std::vector<std::string> launch{"--block",          "32",    "--arg",
                                        "in=f32[128]:iota", "--arg", "out=f32[32]:zeros"};
  std::vector<std::string> words{"trace", source, "--level", "sass", "--json"};
  words.insert(words.end(), launch.begin(), launch.end());
  const Finished finished = run_program(words);
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  const Json report = Json::parse(finished.output);
  EXPECT_EQ(report["level"], "sass");
  // 32 lanes x 16 bytes are 512 bytes: 4 wavefronts in one request. The PTX has 4 requests of 4 wavefronts.
  EXPECT_EQ(report["totals"]["shared_load"]["requests"], 1);
  EXPECT_EQ(report["totals"]["shared_load"]["wavefronts"], 4);
  EXPECT_EQ(report["machine_code"]["arch"], "sm_90");
  EXPECT_GT(report["machine_code"]["registers"], 0);
  ASSERT_EQ(report["machine_code"]["differences"].size(), 1u) << report["machine_code"].dump(1);
  const Json& difference = report["machine_code"]["differences"][0];
  EXPECT_EQ(difference["line"], 6);
  EXPECT_EQ(difference["fate"], "merged");
  EXPECT_EQ(difference["ptx_instructions"], 4);
  EXPECT_EQ(difference["names"], Json({"LDS.128"}));
  EXPECT_EQ(difference["ptx"]["requests"], 4);
  EXPECT_EQ(difference["ptx"]["wavefronts"], 16);
  EXPECT_EQ(difference["machine"]["requests"], 1);

  words = {"trace", source, "--level", "sass"};
  words.insert(words.end(), launch.begin(), launch.end());
  EXPECT_THAT(
      run_program(words).output,
      HasSubstr(
          "four.cu:6: 4 shared loads of 4 bytes of the PTX are LDS.128 in the machine code: requests 4 -> 1, "
          "wavefronts 16 -> 4"));
  words[3] = "ptx";
  const Finished plain = run_program(words);
  EXPECT_EQ(plain.status, 0);
  EXPECT_THAT(plain.output, Not(HasSubstr("machine code")));
}

TEST_F(Level, sass_works_for_lessons) {
  const Finished finished =
      run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--level", "sass"});
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("machine code for sm_90"));
  EXPECT_THAT(finished.output, HasSubstr("output: correct"));
}

TEST_F(Level, what_cannot_be_is_one_sentence) {
  const std::string source = file("four.cu", kFour);
  Finished finished = run_program({"trace", source, "--level", "machine"});
  EXPECT_EQ(finished.status, 2);
  finished = run_program({"trace", source, "--level", "sass", "--save", (folder_ / "a.lane").string()});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error, HasSubstr("--save keeps the accesses of the PTX"));
  finished = run_program({"trace", source, "--level", "sass", "--producer", "gpu"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error, HasSubstr("--level is an option of the emulator"));
  const std::string ptx =
      file("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n");
  finished = run_program({"trace", ptx, "--level", "sass"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.error, HasSubstr("machine code is made of CUDA source"));
}

}  // namespace
}  // namespace lanescope
