// `lanescope trace` of kernels with asynchronous copies: what they transfer, and waits that are too short.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using tests::Finished;
using tests::run_program;

class CopyTrace : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  const tests::TemporaryFolder folder_{"copy_trace"};
};

/// 256 threads copy 16 bytes each: eight warps, and 512 bytes of a warp are 16 sectors and four wavefronts.
TEST_F(CopyTrace, an_asynchronous_copy_has_rows_of_its_own) {
  constexpr const char* kCopy = R"(#include <cuda_pipeline.h>
__global__ void copy(const float4* in, float4* out) {
  __shared__ float4 tile[256];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &in[i], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[255 - i];
}
)";
  const std::vector<std::string> words{"trace", file("copy.cu", kCopy), "--block", "256",
                                       "--arg", "in=f32[1024]:iota",    "--arg",   "out=f32[1024]:zeros"};
  const Finished table = run_program(words);
  ASSERT_EQ(table.status, 0) << table.error;
  EXPECT_NE(table.output.find("global async copy         8  4,096      128           -    128"),
            std::string::npos)
      << table.output;
  EXPECT_EQ(table.output.find("global load"), std::string::npos) << table.output;
  EXPECT_NE(table.output.find("shared async copy         8  4,096        -          32     32"),
            std::string::npos)
      << table.output;
  std::vector<std::string> with_report = words;
  with_report.push_back("--json");
  const Json report = Json::parse(run_program(with_report).output);
  EXPECT_EQ(report["totals"]["global_load"]["requests"], 0);
  EXPECT_EQ(report["totals"]["shared_store"]["requests"], 0);
  for (const char* row : {"global_async_copy", "global_store"}) {
    EXPECT_EQ(report["totals"][row]["requests"], 8) << row;
    EXPECT_EQ(report["totals"][row]["lanes"], 256) << row;
    EXPECT_EQ(report["totals"][row]["bytes"], 4096) << row;
    EXPECT_EQ(report["totals"][row]["sectors"], 128) << row;
  }
  for (const char* row : {"shared_load", "shared_async_copy"}) {
    EXPECT_EQ(report["totals"][row]["requests"], 8) << row;
    EXPECT_EQ(report["totals"][row]["wavefronts"], 32) << row;
  }
  EXPECT_EQ(report["sites"][0]["kind"], "async_copy") << "what it is, its row still says";
}

TEST_F(CopyTrace, five_stages_in_four_buffers_are_found) {
  // `<= tile + kStages` begins a stage more than there are buffers.
  const auto stages = [&](std::string_view most) {
    return file("stages.cu", fmt::format(R"(#include <cuda/pipeline>
extern "C" __global__ void stages(const int* in, int* out, int tiles) {{
  constexpr int kStages = 4;
  __shared__ int kept[kStages][64];
  auto pipeline = cuda::make_pipeline();
  int sum = 0;
  for (int tile = 0, next = 0; tile < tiles; ++tile) {{
    for (; next {} tile + kStages; ++next) {{
      pipeline.producer_acquire();
      if (next < tiles)
        cuda::memcpy_async(&kept[next % kStages][threadIdx.x], &in[next * 64 + threadIdx.x], sizeof(int), pipeline);
      pipeline.producer_commit();
    }}
    pipeline.consumer_wait();
    __syncthreads();
    sum = sum * 3 + kept[tile % kStages][63 - threadIdx.x];
    pipeline.consumer_release();
    __syncthreads();
  }}
  out[threadIdx.x] = sum;
}}
)",
                                         most));
  };
  const auto trace = [&](std::string_view most) {
    return run_program({"trace", stages(most), "--block", "64", "--arg", "in=i32[512]:iota", "--arg",
                        "out=i32[64]:zeros", "--arg", "i32:8"});
  };
  const Finished wrong = trace("<=");
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_NE(wrong.error.find("stages.cu:16: thread (0,0,0) of block (0,0,0) reads"), std::string::npos)
      << wrong.error;
  EXPECT_NE(wrong.error.find("while the copy of thread (63,0,0) at line 11 to there is under way"),
            std::string::npos)
      << wrong.error;
  EXPECT_NE(wrong.error.find("use one more buffer, or copy one stage less ahead"), std::string::npos)
      << wrong.error;
  const Finished right = trace("<");
  EXPECT_EQ(right.status, 0) << right.error;
}

}  // namespace
}  // namespace lanescope
