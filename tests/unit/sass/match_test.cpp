// What NVIDIA's assembler makes of kernels: cases by hand. They need NVRTC, which has the assembler.

#include "sass/match.h"

#include "compile/compile.h"
#include "emulator/run.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "sass/folding_sink.h"
#include "support/project.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::Same:
      return "same";
    case Fate::Merged:
      return "merged";
    case Fate::Removed:
      return "removed";
    case Fate::Narrower:
      return "narrower";
    case Fate::Replaced:
      return "replaced";
  }
  return "?";
}

class SassMatch : public testing::Test {
 protected:
  void SetUp() override {
    auto found = compile::find_compiler(tests::source_dir() / ".cache/third_party");
    if (!found) GTEST_SKIP() << "no NVRTC here: " << found.error().message;
    compiler_ = *std::move(found);
  }

  /// Matches the kernel `k` of the source.
  void compile_and_match(const std::string& text) {
    compile::Options options;
    options.with_machine_code = true;
    const auto compilation = compile::compile(*compiler_, {"k.cu", text, {}}, options);
    ASSERT_TRUE(compilation && compilation->cubin)
        << (compilation ? compilation->log : describe(compilation.error()));
    const auto module = ptx::parse(*compilation->ptx, "k.ptx");
    ASSERT_TRUE(module);
    auto lowered = ptx::lower(*module, "k");
    ASSERT_TRUE(lowered);
    program_ = *std::move(lowered);
    const auto cubin = read_cubin(std::as_bytes(std::span(*compilation->cubin)));
    ASSERT_TRUE(cubin) << describe(cubin.error());
    const MachineFunction* const function = cubin->find("k");
    ASSERT_NE(function, nullptr);
    function_ = *function;
    match_ = match(program_, function_);
  }

  /// "load shared 4: merged LDS.128" for each site.
  std::vector<std::string> fates() const {
    std::vector<std::string> texts;
    for (size_t n = 0; n < program_.sites.size(); ++n) {
      const SiteMatch& site = match_.sites[n];
      std::vector<std::string> names;
      const std::vector<uint32_t>& instructions =
          site.fate == Fate::Merged ? match_.merged[site.merged].instructions : site.instructions;
      for (const uint32_t instruction : instructions) {
        std::string name = sass::name_of(match_.accesses[instruction]);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
      }
      const MemoryOperation& operation = program_.sites[n].operation;
      texts.push_back(fmt::format("{} {} {}: {}{}{}", lanescope::name_of(operation.kind),
                                  lanescope::name_of(operation.space), operation.bytes_per_lane,
                                  name_of(site.fate), names.empty() ? "" : " ", fmt::join(names, " ")));
    }
    return texts;
  }
  size_t count(const std::string& fate) const {
    return static_cast<size_t>(std::ranges::count(fates(), fate));
  }

  std::optional<compile::Compiler> compiler_;
  ptx::Program program_;
  MachineFunction function_;
  Match match_;
};

TEST_F(SassMatch, plain_loads_and_stores_are_the_same) {
  compile_and_match(
      "extern \"C\" __global__ void k(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x] * 2; }");
  EXPECT_EQ(fates(), (std::vector<std::string>{"load global 4: same LDG", "store global 4: same STG"}));
  EXPECT_GT(function_.registers, 0u);
  EXPECT_TRUE(match_.unmatched.empty());
}

TEST_F(SassMatch, neighboring_shared_words_of_a_product_are_one_load_of_16_bytes) {
  compile_and_match(R"(extern "C" __global__ void k(const float* a, const float* b, float* c) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  as[y][x] = a[16 * y + x];
  bs[y][x] = b[16 * y + x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
  c[16 * y + x] = sum;
})");
  EXPECT_EQ(count("load shared 4: merged LDS.128"), 16u);
  EXPECT_EQ(count("load shared 4: same LDS"), 16u);
  EXPECT_EQ(match_.merged.size(), 4u);
  for (const MergedAccess& merged : match_.merged) EXPECT_EQ(merged.sites.size(), 4u);
}

TEST_F(SassMatch, a_local_array_with_constant_indices_is_removed) {
  compile_and_match(R"(extern "C" __global__ void k(const int* a, int* b) {
  int kept[4];
  for (int i = 0; i < 4; ++i) kept[i] = a[4 * threadIdx.x + i];
  b[threadIdx.x] = kept[0] + kept[1] * kept[2] + kept[3];
})");
  EXPECT_TRUE(std::ranges::none_of(fates(), [](const std::string& fate) { return fate.contains("local"); }));
}

TEST_F(SassMatch, a_local_array_with_a_variable_index_is_in_local_memory_or_registers) {
  compile_and_match(R"(extern "C" __global__ void k(const int* a, int* b, int n) {
  int kept[32];
  for (int i = 0; i < 32; ++i) kept[i] = a[32 * threadIdx.x + i];
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += kept[(i * 7 + sum) & 31];
  b[threadIdx.x] = sum;
})");
  EXPECT_GE(function_.stack_bytes, 128u);
  EXPECT_TRUE(std::ranges::any_of(fates(), [](const std::string& fate) {
    return fate.contains("local") && fate.contains("LDL");
  })) << fmt::format("{}", fmt::join(fates(), "\n"));
}

TEST_F(SassMatch, of_a_vector_whose_upper_half_is_used_the_upper_half_is_loaded) {
  compile_and_match(R"(extern "C" __global__ void k(const float4* a, float* b) {
  const float4 v = a[threadIdx.x];
  b[threadIdx.x] = v.z * v.w;
})");
  EXPECT_EQ(count("load global 16: narrower LDG.64"), 1u) << fmt::format("{}", fmt::join(fates(), "\n"));
  ASSERT_EQ(match_.merged.size(), 1u);
  EXPECT_EQ(match_.merged[0].bytes, 8u);
  EXPECT_EQ(match_.merged[0].first_byte, 8u);
}

TEST_F(SassMatch, constants_are_operands_and_no_instructions) {
  compile_and_match(R"(__constant__ float factor[4];
extern "C" __global__ void k(float* b) { b[threadIdx.x] *= factor[1]; })");
  EXPECT_EQ(count("load constant 4: removed"), 1u);
}

TEST_F(SassMatch, a_barrier_between_neighbors_keeps_them_apart) {
  compile_and_match(R"(extern "C" __global__ void k(float* b) {
  __shared__ float s[256];
  s[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  const float first = s[2 * (threadIdx.x / 2)];
  __syncthreads();
  s[threadIdx.x] = first;
  __syncthreads();
  b[threadIdx.x] = first + s[2 * (threadIdx.x / 2) + 1];
})");
  EXPECT_EQ(count("load shared 4: same LDS"), 2u) << fmt::format("{}", fmt::join(fates(), "\n"));
}

TEST_F(SassMatch, asynchronous_copies_and_matrix_rows_are_the_same) {
  compile_and_match(R"(#include <cuda_pipeline.h>
extern "C" __global__ void k(const float* a, float* b) {
  __shared__ float s[128];
  __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  b[threadIdx.x] = s[127 - threadIdx.x];
})");
  EXPECT_EQ(count("async_copy shared 4: same LDGSTS"), 1u) << fmt::format("{}", fmt::join(fates(), "\n"));
}

}  // namespace
}  // namespace lanescope::sass
