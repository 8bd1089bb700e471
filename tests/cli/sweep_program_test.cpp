// A sweep of a person's whole program: the counts are those of all its launches.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

class SweepProgram : public tests::SourceProgramTest {};

/// Two launches store N floats each: N / 8 sectors. STATUS is the status of the program.
constexpr const char* kTwoLaunches = R"(#include <cstdlib>
__global__ void fill(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main(int, char** words) {
  const int n = std::atoi(words[1]);
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<n / 64, 64>>>(x);
  fill<<<n / 64, 64>>>(x);
  cudaDeviceSynchronize();
  return STATUS;
}
)";

TEST_F(SweepProgram, its_arguments_and_macros_are_axes) {
  const tests::TemporaryFolder folder("sweep-program");
  const std::string source = (folder / "fill.cu").string();
  const std::string results = (folder / "s.sqlite").string();
  std::ofstream(source) << kTwoLaunches;
  const Finished done =
      run_program({"sweep", source, "-D", "N=128,256", "-D", "STATUS=0,3,no", "-o", results, "--", "{N}"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("has 6 of 6 combinations, 4 of them without counts\n"));
  EXPECT_THAT(done.error, ContainsRegex("N=128, STATUS=3: the program .*fill.cu ended with status 3\n"));
  const Finished table = run_program({"plot", "--from", results, "--x", "N", "--y", "global_store_sectors",
                                      "--where", "STATUS=0", "--as", "best"});
  EXPECT_THAT(table.output, HasSubstr("128                    32  0              1\n")) << table.error;
  EXPECT_THAT(table.output, HasSubstr("256                    64  0              1\n"));
}

/// nvcc hands its options to a shell, and a value of a macro is text.
TEST_F(SweepProgram, no_shell_reads_the_value_of_a_macro) {
  const tests::TemporaryFolder folder("sweep-macros");
  const std::string source = (folder / "fill.cu").string();
  const std::string results = (folder / "s.sqlite").string();
  std::ofstream(source) << kTwoLaunches;
  const std::string touched = (folder / "touched").string();
  const Finished done = run_program(
      {"sweep", source, "-D", "STATUS=$(touch " + touched + "),sizeof(\"a b\") - 4,`touch " + touched + "`",
       "-o", results, "--", "128"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("has 3 of 3 combinations, 2 of them without counts\n"));
  EXPECT_THAT(done.error, HasSubstr("the program does not compile: "));
  EXPECT_FALSE(std::filesystem::exists(touched));
}

}  // namespace
}  // namespace lanescope
