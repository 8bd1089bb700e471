// `lanescope trace --level sass`: counts of the machine code, and what differs from the PTX.

#include "support/four_kernel.h"
#include "support/pair_kernel.h"
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

std::string text_of(const std::string& path) {
  std::ifstream read(path);
  return std::string(std::istreambuf_iterator<char>(read), {});
}

TEST_F(Level, sass_counts_merged_loads_once_and_says_what_differs) {
  const std::string source = file("four.cu", tests::kFourKernel);
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

TEST_F(Level, sass_keeps_lanes_apart_that_called_different_functions) {
  const std::string source = file("calls.cu",
                                  "using Operation = int (*)(int, int);\n"
                                  "__device__ __noinline__ int add(int a, int b) { return a + b; }\n"
                                  "__device__ __noinline__ int multiply(int a, int b) { return a * b; }\n"
                                  "__device__ Operation table[2] = {add, multiply};\n"
                                  "__global__ void calls(const int* in, int* out) {\n"
                                  "  int value = table[threadIdx.x % 2](in[threadIdx.x], 3);\n"
                                  "  out[threadIdx.x] = value + in[threadIdx.x + 32];\n"
                                  "}\n");
  const Finished finished = run_program({"trace", source, "--level", "sass", "--block", "32", "--arg",
                                         "in=i32[64]:iota", "--arg", "out=i32[32]:zeros", "--json"});
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  const Json report = Json::parse(finished.output);
  // Sixteen lanes add and sixteen multiply; behind the call each half stores by itself, 4 sectors each.
  EXPECT_EQ(report["totals"]["global_store"]["requests"], 2);
  EXPECT_EQ(report["totals"]["global_store"]["sectors"], 8);
  const Json& store = report["machine_code"]["differences"].back();
  EXPECT_EQ(store["line"], 7);
  EXPECT_EQ(store["ptx"]["requests"], 1);
  EXPECT_EQ(store["machine"]["requests"], 2);
}

TEST_F(Level, sass_of_ptx_is_made_by_the_assembler_of_a_toolkit) {
  const std::string ptx = file("pair.ptx", tests::kPairKernel);
  const std::vector<std::string> words{"trace",   ptx,    "--block", "32", "--arg", "out=f32[32]:zeros",
                                       "--level", "sass", "--json"};
  const Finished finished = run_program(words);
  if (finished.error.contains("ptxas, which was not found")) {
    EXPECT_EQ(finished.status, 1);
    GTEST_SKIP() << finished.error;
  }
  ASSERT_EQ(finished.status, 0) << finished.error;
  const Json report = Json::parse(finished.output);
  // 32 lanes x 8 bytes are 256 bytes: 2 wavefronts in one request. The PTX has two requests of 2.
  EXPECT_EQ(report["totals"]["shared_load"]["requests"], 1);
  EXPECT_EQ(report["totals"]["shared_load"]["wavefronts"], 2);
  EXPECT_EQ(report["machine_code"]["arch"], "sm_90");
  // What the assembler refuses is one sentence.
  std::string unknown = tests::kPairKernel;
  unknown.replace(unknown.find("sm_80"), 5, "sm_99");
  Finished refused = run_program({"trace", file("new.ptx", unknown), "--block", "32", "--level", "sass"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.error, HasSubstr("ptxas makes no machine code for sm_99"));
  // Two memory instructions of one line cannot be told apart.
  std::string crowded = tests::kPairKernel;
  crowded.replace(crowded.find("[%r3];\n  ld"), 11, "[%r3]; ld");
  refused = run_program({"trace", file("crowded.ptx", crowded), "--block", "32", "--level", "sass"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.error, HasSubstr("several memory instructions"));
  if (run_program({"help", "screenshot"}).status != 0) return;  // a build without a window
  refused = run_program({"screenshot", (folder_ / "crowded.ptx").string(), "--level", "sass", "-o",
                         (folder_ / "crowded.png").string()});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.error, HasSubstr("the counts are those of the PTX: "));
}

TEST_F(Level, sass_works_for_lessons) {
  const Finished finished =
      run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--level", "sass"});
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("machine code for sm_90"));
  EXPECT_THAT(finished.output, HasSubstr("output: correct"));
}

TEST_F(Level, a_figure_of_totals_says_whose_accesses_it_counts) {
  const std::string table = (folder_ / "totals.csv").string();
  const Finished finished =
      run_program({"plot", file("four.cu", tests::kFourKernel), "--block", "32", "--arg", "in=f32[128]:iota",
                   "--arg", "out=f32[32]:zeros", "--level", "sass", "--figure", "totals", "-o", table});
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  std::ifstream read(table);
  const std::string text(std::istreambuf_iterator<char>(read), {});
  EXPECT_THAT(text, HasSubstr("counts of the machine code (SASS)"));
}

TEST_F(Level, a_saved_trace_keeps_its_level) {
  const std::string saved = (folder_ / "a.lane").string();
  const std::string table = (folder_ / "totals.csv").string();
  Finished finished =
      run_program({"trace", file("four.cu", tests::kFourKernel), "--block", "32", "--arg", "in=f32[128]:iota",
                   "--arg", "out=f32[32]:zeros", "--level", "sass", "--save", saved});
  if (is_without_compiler(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  finished = run_program({"plot", saved, "--figure", "totals", "-o", table});
  ASSERT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(text_of(table), HasSubstr("counts of the machine code (SASS)"));
}

TEST_F(Level, a_figure_of_one_access_draws_the_instruction_that_makes_it) {
  const std::string table = (folder_ / "banks.csv").string();
  const std::string saved = (folder_ / "four.lane").string();
  const auto figure_of = [&](const std::string& level) {
    const Finished finished = run_program(
        {"plot", file("four.cu", tests::kFourKernel), "--block", "32", "--arg", "in=f32[128]:iota", "--arg",
         "out=f32[32]:zeros", "--figure", "banks", "--access", "9", "-o", table, "--level", level});
    if (is_without_compiler(finished)) return std::string();
    EXPECT_EQ(finished.status, 0) << finished.error;
    return text_of(table);
  };
  // Accesses 0 to 7 of the PTX copy, 8 to 11 are the four loads of neighboring words.
  const std::string at_sass = figure_of("sass");
  if (at_sass.empty()) GTEST_SKIP() << "no compiler";
  EXPECT_THAT(at_sass, HasSubstr("LDS.128 for 4 accesses of the PTX"));
  EXPECT_THAT(figure_of("ptx"), Not(HasSubstr("of the PTX")));

  // A saved trace has no machine code beside its counts.
  Finished finished =
      run_program({"trace", file("four.cu", tests::kFourKernel), "--block", "32", "--arg", "in=f32[128]:iota",
                   "--arg", "out=f32[32]:zeros", "--level", "sass", "--save", saved});
  ASSERT_EQ(finished.status, 0) << finished.error;
  finished = run_program({"plot", saved, "--figure", "banks", "-o", table});
  ASSERT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(text_of(table), HasSubstr("an access of the PTX"));
}

TEST_F(Level, what_cannot_be_is_one_sentence) {
  const std::string source = file("four.cu", tests::kFourKernel);
  Finished finished = run_program({"trace", source, "--level", "machine"});
  EXPECT_EQ(finished.status, 2);
  const std::string picture = (folder_ / "a.png").string();
  finished = run_program({"plot", "a.lane", "--level", "sass", "--figure", "totals", "-o", picture});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error, HasSubstr("a.lane has the counts of the level that it was saved at"));
  finished = run_program({"trace", source, "--level", "sass", "--producer", "gpu"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error, HasSubstr("--level is an option of the emulator"));
}

}  // namespace
}  // namespace lanescope
