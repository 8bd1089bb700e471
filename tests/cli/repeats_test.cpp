// Launches of a program that would repeat one that changed nothing: they are not run, and no result differs.

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

/// Each sum is of what ten launches leave, with something between them that may change memory.
constexpr const char* kProgram = R"(
#include <cstdio>
__constant__ int factor = 2;
__device__ int offset = 1;
__managed__ int managed = 0;
__global__ void compute(int* out, const int* in) {
  out[threadIdx.x] = factor * in[threadIdx.x] + offset + managed;
}
__global__ void count(int* out) { atomicAdd(out, 1); }
int main() {
  int *in, *out, *pinned, host[64], sum;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMallocHost(&pinned, 256);
  for (int n = 0; n < 64; ++n) host[n] = n;
  auto begin = [&] { cudaMemcpy(in, host, 256, cudaMemcpyHostToDevice); sum = 0; };
  auto launch = [&](int* to) {
    compute<<<1, 64>>>(to, in);
    cudaMemcpy(pinned, to, 256, cudaMemcpyDeviceToHost);
    sum += pinned[10];
  };
  begin();
  for (int n = 0; n < 10; ++n) launch(out);
  printf("alone %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), cudaMemcpy(in + 10, out + 10, 4, cudaMemcpyDeviceToDevice);
  printf("copied %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), cudaMemcpyToSymbol(factor, &n, 4);
  printf("constant %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), cudaMemcpyToSymbol(offset, &n, 4);
  printf("variable %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), cudaDeviceSynchronize(), managed = n / 3;
  printf("managed %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), count<<<1, 32>>>(in + 10);
  printf("counted %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) launch(out), cudaMemset(out, 0, 256);
  printf("cleared %d\n", sum);
  begin();
  for (int n = 0; n < 10; ++n) {
    int* another;
    cudaMalloc(&another, 256);
    launch(another);
    cudaFree(another);
  }
  printf("allocated %d\n", sum);
}
)";

class RepeatedLaunchesOfAProgram : public tests::SourceProgramTest {
 protected:
  tests::TemporaryFolder folder_{"repeats"};
};

TEST_F(RepeatedLaunchesOfAProgram, give_the_results_and_counts_that_they_have_when_they_are_run) {
  const std::string file = folder_.path() / "repeats.cu", report = folder_.path() / "report.json",
                    full = folder_.path() / "full.json";
  std::ofstream(file) << kProgram;
  const auto fast = tests::run_program({"run", "--json=" + report, file});
  const auto slow = tests::run_program({"run", "--no-repeats", "--json=" + full, file});
  EXPECT_EQ(fast.status, 0) << fast.error;
  // 2 * 10 + 1, ten times; then each is twice the last and 1 more, 11 * 2^n - 1 for n = 1..10.
  EXPECT_THAT(fast.output, HasSubstr("alone 210\ncopied 22496\n"));
  EXPECT_EQ(fast.output, slow.output);
  EXPECT_THAT(fast.error, HasSubstr(" of launch 2, not run again")) << fast.error;
  EXPECT_THAT(slow.error, Not(HasSubstr("not run again")));
  const auto launches = nlohmann::json::parse(std::ifstream(report))["launches"];
  const auto all = nlohmann::json::parse(std::ifstream(full))["launches"];
  ASSERT_EQ(launches.size(), 90u);
  for (size_t n = 0; n < launches.size(); ++n) EXPECT_EQ(launches[n]["totals"], all[n]["totals"]);
  for (size_t n = 2; n < 10; ++n) EXPECT_EQ(launches[n].value("repeats", -1), 1);
}

}  // namespace
}  // namespace lanescope
