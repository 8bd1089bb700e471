// `lanescope plot` of the models' figures: files with numbers, and the error for a wrong name.

#include "support/program.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope {
namespace {

using tests::Finished;
using tests::run_program;

std::string plotted(std::vector<std::string> words) {
  const auto file =
      std::filesystem::temp_directory_path() / ("lanescope_model_plot." + std::to_string(getpid()) + ".csv");
  words.insert(words.begin(), "plot");
  words.insert(words.end(), {"-o", file.string()});
  const Finished done = run_program(words);
  EXPECT_EQ(done.status, 0) << done.error;
  std::ifstream stream(file);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(file);
  return text;
}

TEST(ModelPlot, strides_need_no_kernel) {
  const std::string text = plotted({"--figure", "strides", "--maps", "g80,v100", "--accesses", "64"});
  EXPECT_NE(text.find("g80,published,256,64,6"), std::string::npos) << text;
  EXPECT_NE(text.find("v100,published,1048576,64,32"), std::string::npos) << text;
}
TEST(ModelPlot, queues_show_two_kernels) {
  const std::string text = plotted({"--figure", "queues", "--beside", "copy"});
  EXPECT_NE(text.find("Padded,"), std::string::npos);
  EXPECT_NE(text.find("Copy,"), std::string::npos);
}
TEST(ModelPlot, assumptions_are_switched_off_one_by_one) {
  const std::string text = plotted({"--figure", "assumptions"});
  for (const char* row : {"linear-map,Padded,", "write-port,Copy,", "latency,Diagonal,"})
    EXPECT_NE(text.find(row), std::string::npos) << text;
}
TEST(ModelPlot, a_device_lists_its_numbers_and_marks_unverified_ones) {
  const std::string text = plotted({"--figure", "device", "--device", "maxwell"});
  EXPECT_NE(text.find("multiprocessors.count,16,"), std::string::npos) << text;
  EXPECT_NE(text.find("unverified"), std::string::npos) << text;
}
TEST(ModelPlot, an_unknown_map_lists_the_known_ones) {
  const Finished done = run_program({"plot", "--figure", "strides", "--maps", "gt200,gt300", "-o", "x.csv"});
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.error.find("h200-all"), std::string::npos) << done.error;
}

}  // namespace
}  // namespace lanescope
