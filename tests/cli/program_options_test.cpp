// Options of `run` that change how launches run: --keep-going and --sample-blocks.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Reads an element before its buffer, into a value that is not used.
constexpr const char* kReadsBefore = R"(
#include <cstdio>
__global__ void left(const int* in, int* out) {
  const int before = in[(int)threadIdx.x - 1];
  out[threadIdx.x] = threadIdx.x == 0 ? 0 : before + 1;
}
int main() {
  int host[64], *in, *out, sum = 0;
  for (int n = 0; n < 64; ++n) host[n] = n;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (int& value : host) value = -1;
  left<<<1, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int value : host) sum += value;
  printf("sum %d\n", sum);
}
)";

constexpr const char* kTwoKernels = R"(
__global__ void scale(float* out, const float* in) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  out[n] = 2 * in[n];
}
__global__ void add(float* out, const float* in) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  out[n] = in[n] + 1;
}
int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 1 << 18);
  cudaMalloc(&b, 1 << 18);
  cudaMalloc(&c, 1 << 18);
  cudaMemset(a, 0, 1 << 18);
  scale<<<1024, 64>>>(b, a);
  add<<<1024, 64>>>(c, b);
}
)";

class OptionsOfAProgram : public tests::SourceProgramTest {
 protected:
  std::string file_of(const char* text) {
    const std::string file = folder_.path() / "program.cu";
    std::ofstream(file) << text;
    return file;
  }
  tests::TemporaryFolder folder_{"program-options"};
};

TEST_F(OptionsOfAProgram, keep_going_reports_a_read_beyond_a_buffer_and_goes_on_with_0) {
  const std::string file = file_of(kReadsBefore), report = folder_.path() / "report.json";
  const auto stopped = tests::run_program({"run", file});
  EXPECT_THAT(stopped.output, HasSubstr("sum -64\n"));  // nothing was copied back
  const auto kept = tests::run_program({"run", "--keep-going", "--json=" + report, file});
  EXPECT_THAT(kept.output, HasSubstr("sum 2016\n"));  // 0 + 1 + ... + 63
  EXPECT_THAT(kept.error,
              HasSubstr("program.cu:4: thread (0,0,0) of block (0,0,0) reads 4 bytes 4 bytes before"));
  EXPECT_THAT(kept.error, HasSubstr("(--keep-going)"));
  const auto launch = nlohmann::json::parse(std::ifstream(report))["launches"][0];
  EXPECT_EQ(launch["hazards"].size(), 1u);
  EXPECT_FALSE(launch.contains("stopped"));
}

TEST_F(OptionsOfAProgram, a_sample_of_blocks_is_marked_and_what_reads_its_results_does_not_run) {
  const std::string file = file_of(kTwoKernels);
  const auto sampled = tests::run_program({"run", "--sample-blocks", "8", file});
  EXPECT_THAT(sampled.error, HasSubstr("128 (ideal) of a part"));  // 8 blocks x 64 threads x 2 x 4 bytes
  EXPECT_THAT(sampled.error, HasSubstr("scale: 8 of 1024 blocks ran, and have the counts (--sample-blocks)"));
  EXPECT_THAT(sampled.error, HasSubstr("add: the launch was not run, since it reads what launch 1 (scale)"));
  const auto all = tests::run_program({"run", "--sample-blocks", "8", "--sample-all", file});
  EXPECT_THAT(all.error, HasSubstr("add: 1 launch read what a sampled launch left incomplete"));
  EXPECT_THAT(all.error, Not(HasSubstr("failed")));
}

TEST_F(OptionsOfAProgram, what_does_not_fit_is_one_sentence) {
  const std::string file = file_of(kTwoKernels);
  const auto expect_refusal = [](const std::vector<std::string>& words, const char* sentence) {
    const auto refused = tests::run_program(words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.error, sentence);
  };
  expect_refusal({"run", "--sample-blocks", "0", file},
                 "--sample-blocks is how many blocks of a launch are run, at least 1; 0 was given\n");
  expect_refusal({"run", "--sample-all", file},
                 "--sample-all is about the launches of --sample-blocks N; add it\n");
  expect_refusal({"run", "--keep-going", "--producer", "gpu", file},
                 "--keep-going is of the emulator, and a GPU runs the launches whole: leave it out\n");
  const auto alone = tests::run_program({"trace", "--keep-going", "--kernels-only", file});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.error, HasSubstr("--keep-going is of a whole program, a file with main"));
}

}  // namespace
}  // namespace lanescope
