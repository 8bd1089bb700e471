// `lanescope trace --caches`: a model of an H100's or H200's caches beside the counts of a launch.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using tests::run_program;

Json caches_of(std::vector<std::string> words) {
  words.insert(words.begin(), "trace");
  words.insert(words.end(), {"--caches", "--json"});
  const tests::Finished finished = run_program(words);
  EXPECT_EQ(finished.status, 0) << finished.error;
  return Json::parse(finished.output).at("caches");
}

TEST(Caches, of_a_transpose_are_counted) {
  // A copy of 64 x 64 floats loads 512 sectors once, and stores as many.
  const Json caches = caches_of({"--lesson", "transpose", "--set", "kernel=copy", "--set", "size=64"});
  EXPECT_EQ(caches.at("provenance"), "modelled");
  EXPECT_EQ(caches.at("multiprocessors"), 132);
  EXPECT_EQ(caches.at("l1").at("global_loads").at("sectors"), 512);
  EXPECT_EQ(caches.at("l1").at("global_loads").at("hits"), 0);
  EXPECT_EQ(caches.at("l1_to_l2_sectors"), 512);
  EXPECT_EQ(caches.at("dram").at("read_sectors"), 512 + 100);
}

TEST(Caches, are_printed_with_what_they_assume) {
  const tests::Finished finished =
      run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--caches", "--device", "h100"});
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("caches (MODEL"));
  EXPECT_THAT(finished.output, HasSubstr("NVIDIA H100"));
  EXPECT_THAT(finished.output, HasSubstr("global loads"));
  EXPECT_THAT(finished.output, HasSubstr("DRAM to L2"));
}

TEST(Caches, of_another_device_say_that_the_rules_were_not_checked_on_it) {
  const tests::Finished finished =
      run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--caches", "--device", "ampere"});
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output,
              HasSubstr("caches (MODEL, documented sizes with the rules of an H100, not checked on "
                        "this device; NVIDIA A100"));
  EXPECT_THAT(finished.output, HasSubstr("NVIDIA A100 (Ampere) has no bound"));
}

TEST(Caches, of_a_launch_that_needs_more_memory_are_of_some_multiprocessors) {
  // 1024 x 1024 floats are 65,536 requests.
  std::vector<std::string> words{"trace",     "--lesson", "transpose",      "--set",
                                 "size=1024", "--caches", "--cache-memory", "1"};
  tests::Finished finished = run_program(words);
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("the L2 and the DRAM need all (--cache-memory)"));
  words.back() = "64";
  finished = run_program(words);
  EXPECT_THAT(finished.output, HasSubstr("DRAM to L2"));
}

TEST(Caches, of_a_file_with_main_are_those_of_its_kernel) {
  const tests::TemporaryFolder folder("caches");
  const std::filesystem::path source = folder / "fill.cu";
  std::ofstream(source) << "__global__ void fill(float* x) { x[threadIdx.x] = 1; }\n"
                           "int main() {\n  float* x;\n  cudaMalloc(&x, 128);\n  fill<<<1, 32>>>(x);\n}\n";
  const tests::Finished finished = run_program({"trace", source.string(), "--kernels-only", "--caches"});
  if (finished.error.contains("NVRTC") && finished.error.contains("not found"))
    GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("global stores         1        4  0.0 %"));
}

TEST(Caches, of_a_stopped_kernel_say_so) {
  const tests::TemporaryFolder folder("caches");
  const std::filesystem::path source = folder / "beyond.cu";
  std::ofstream(source) << "__global__ void beyond(float* x) { x[blockIdx.x * 64 + threadIdx.x] = 1; }\n";
  const tests::Finished finished = run_program(
      {"trace", source.string(), "--grid", "4", "--block", "32", "--arg", "x=f32[128]:zeros", "--caches"});
  if (finished.error.contains("NVRTC") && finished.error.contains("not found"))
    GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.output, HasSubstr("the kernel was stopped: counts are of what ran before"));
}

TEST(Caches, rule_can_be_left_out) {
  // A copy loads whole lines: no rule about parts of lines changes what the DRAM reads.
  const std::vector<std::string> copy{"--lesson", "transpose", "--set", "kernel=copy", "--set", "size=64"};
  std::vector<std::string> without = copy;
  without.insert(without.end(), {"--without", "pairs", "--without", "partial-lines"});
  EXPECT_EQ(caches_of(copy).at("dram"), caches_of(without).at("dram"));
  const tests::Finished finished =
      run_program({"trace", "--lesson", "transpose", "--caches", "--without", "gravity"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error,
              HasSubstr("no rule of the caches is named 'gravity'; there are ages, set-hash,"));
}

TEST(Caches, bad_requests_are_one_sentence) {
  const struct {
    std::vector<std::string> words;
    int status;
    const char* says;
  } kCases[] = {
      {{"--without", "ages"}, 2, "--without leaves a rule of the modelled caches out: it needs --caches"},
      {{"--cache-memory", "1"}, 2, "--cache-memory is for the modelled caches: it needs --caches"},
      {{"--caches", "--device", "gt200"}, 1, "the caches of GeForce GTX 280 (GT200) are not known"},
      {{"--caches", "--producer", "gpu"}, 2, "--caches is an option of the emulator"},
  };
  for (const auto& [more, status, says] : kCases) {
    std::vector<std::string> words{"trace", "--lesson", "transpose"};
    words.insert(words.end(), more.begin(), more.end());
    const tests::Finished finished = run_program(words);
    EXPECT_EQ(finished.status, status) << finished.error;
    EXPECT_THAT(finished.error, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(finished.error, '\n'), 1) << finished.error;
  }
}

}  // namespace
}  // namespace lanescope
