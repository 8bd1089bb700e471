// A newcomer's first minutes: a program with a bug, run with nothing but its name, and corrected by what is
// said until its accesses are coalesced and free of bank conflicts.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

/// A transpose of 256 x 256 in tiles of 32 x 32; `body` is the kernel's.
std::string program_with(const std::string& body) {
  return "#include <cstdio>\n#include <vector>\n\n__global__ void transpose(const float* in, float* out, int "
         "n) {\n" +
         body +
         "}\n\nint main() {\n  const int n = 256;\n  std::vector<float> host(n * n);\n  float *in, *out;\n"
         "  cudaMalloc(&in, n * n * sizeof(float));\n  cudaMalloc(&out, n * n * sizeof(float));\n"
         "  transpose<<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);\n  std::printf(\"done\\n\");\n}\n";
}

class Newcomer : public testing::Test {
 protected:
  Finished run(const std::string& body) {
    std::ofstream(folder_ / "mine.cu") << program_with(body);
    return run_program({"trace", (folder_ / "mine.cu").string()});
  }
  tests::TemporaryFolder folder_{"newcomer"};
};

constexpr const char* kIndices =
    "  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
    "  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;\n";

TEST_F(Newcomer, a_program_runs_as_it_is_and_its_waste_is_the_first_row) {
  const Finished done = run(std::string(kIndices) + "  out[x * n + y] = in[y * n + x];\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::StartsWith("done\n"));
  EXPECT_THAT(done.output, HasSubstr("transpose  grid 8 x 8 x 1  block 32 x 32 x 1"));
  // The store is the waste: line 7, first.
  EXPECT_THAT(done.output, testing::ContainsRegex("source\n +7  global store .* 8x uncoalesced"));
}

TEST_F(Newcomer, an_index_beyond_the_end_is_told_with_its_line) {
  const Finished done = run(std::string(kIndices) + "  out[x * n + y + 1] = in[y * n + x];\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("mine.cu:7"));
  EXPECT_THAT(done.error, HasSubstr("beyond"));
}

TEST_F(Newcomer, a_missing_barrier_is_told_with_its_line) {
  const Finished done = run("  __shared__ float tile[32][32];\n" + std::string(kIndices) +
                            "  tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n"
                            "  out[v * n + u] = tile[threadIdx.x][threadIdx.y];\n");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("mine.cu:9"));
  EXPECT_THAT(done.error, HasSubstr("__syncthreads"));
}

TEST_F(Newcomer, bank_conflicts_are_the_first_row_and_padding_removes_them) {
  const auto with = [&](const std::string& columns) {
    return run("  __shared__ float tile[32][" + columns + "];\n" + kIndices +
               "  tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n  __syncthreads();\n"
               "  out[v * n + u] = tile[threadIdx.x][threadIdx.y];\n");
  };
  const Finished conflicts = with("32");
  EXPECT_EQ(conflicts.status, 0) << conflicts.error;
  EXPECT_THAT(conflicts.output, testing::ContainsRegex("source\n +10  shared load .* 32x bank conflicts"));
  const Finished padded = with("33");
  EXPECT_EQ(padded.status, 0) << padded.error;
  EXPECT_THAT(padded.output, Not(HasSubstr("bank conflicts")));
  EXPECT_THAT(padded.output, Not(HasSubstr("uncoalesced")));
}

TEST_F(Newcomer, the_launches_of_a_program_become_a_launch_file_that_runs) {
  std::ofstream(folder_ / "two.cu") << R"(
__global__ void twice(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void add(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main() {
  float *d_in, *d_out;
  twice<<<4, 64>>>(d_in);
  add<<<4, 64>>>(d_in, d_out, 256);
}
)";
  const Finished made = run_program({"kernels", (folder_ / "two.cu").string(), "--launch-file"});
  ASSERT_EQ(made.status, 0) << made.error;
  EXPECT_THAT(made.output, HasSubstr("d_in = \"f32[256]:"));
  // The file's name in it is as it was given, from the folder of this run.
  std::string text = made.output;
  const std::string path = (folder_ / "two.cu").string();
  text.replace(text.find(path), path.size(), "two.cu");
  std::ofstream(folder_ / "two.toml") << text;
  const Finished done = run_program({"trace", (folder_ / "two.toml").string(), "--show", "d_out[3]"});
  EXPECT_EQ(done.status, 0) << done.error << text;
  EXPECT_THAT(done.output, HasSubstr("launch 2 of 2: add"));
}

}  // namespace
}  // namespace lanescope
