// `lanescope slices` and the figure of camping, from stored recordings; no GPU is needed.

#include "support/program.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using tests::Finished;
using tests::run_program;

TEST(Slices, a_recording_is_shown_with_its_provenance_and_limits) {
  const Finished shown = run_program({"slices"});
  EXPECT_EQ(shown.status, 0) << shown.error;
  EXPECT_NE(shown.output.find("NVIDIA H200"), std::string::npos);
  EXPECT_NE(shown.output.find(": recorded"), std::string::npos);
  EXPECT_NE(shown.output.find("8192 of 8192 of another allocation"), std::string::npos) << shown.output;
  EXPECT_NE(shown.output.find("the physical base is unknown"), std::string::npos);
}

TEST(Slices, a_missing_recording_is_one_sentence_with_its_file) {
  const Finished missing = run_program({"slices", "--recording", "gt200"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.error.find("slices/gt200.json"), std::string::npos) << missing.error;
  EXPECT_TRUE(missing.output.empty());
}

TEST(Slices, camping_is_drawn_from_the_recording) {
  const fs::path file =
      fs::temp_directory_path() / ("lanescope_camping." + std::to_string(getpid()) + ".csv");
  const Finished drawn =
      run_program({"plot", "--figure", "camping", "--recording", "h200", "-o", file.string()});
  EXPECT_EQ(drawn.status, 0) << drawn.error;
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  fs::remove(file);
  EXPECT_NE(text.find("one_slice"), std::string::npos) << text;
  EXPECT_NE(text.find("dram"), std::string::npos) << text;
}

}  // namespace
}  // namespace lanescope
