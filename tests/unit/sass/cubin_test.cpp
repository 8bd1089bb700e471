// Cubins as NVRTC makes them, whole and damaged. The cases need NVRTC, which has the assembler.

#include "sass/cubin.h"

#include "compile/compile.h"
#include "sass/machine_access.h"
#include "support/project.h"

#include <algorithm>
#include <random>
#include <span>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

class CubinFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto compiler = compile::find_compiler(tests::source_dir() / ".cache/third_party");
    if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
    compile::Options options;
    options.with_machine_code = true;
    const std::string text =
        "extern \"C\" __global__ void first(float* p) { __shared__ float s[64]; s[threadIdx.x] = "
        "p[threadIdx.x];\n"
        "__syncthreads(); p[threadIdx.x] = s[63 - threadIdx.x]; }\n"
        "extern \"C\" __global__ void second(double* p) { p[threadIdx.x] += 1; }\n";
    const auto compilation = compile::compile(*compiler, {"k.cu", text, {}}, options);
    ASSERT_TRUE(compilation && compilation->cubin);
    file_ = *compilation->cubin;
  }
  Result<Cubin> read(std::string_view file) const { return read_cubin(std::as_bytes(std::span(file))); }
  std::string file_;
};

TEST_F(CubinFile, has_the_code_and_the_lines_of_each_kernel) {
  const auto cubin = read(file_);
  ASSERT_TRUE(cubin) << describe(cubin.error());
  const MachineFunction* const first = cubin->find("first");
  ASSERT_NE(first, nullptr);
  EXPECT_GT(first->registers, 0u);
  EXPECT_EQ(first->stack_bytes, 0u);
  EXPECT_GE(first->shared_bytes, 256u);
  std::vector<std::string> names;
  for (const MachineAccess& access : accesses_of(*first)) {
    names.push_back(name_of(access));
    EXPECT_GT(access.ptx_line, 0u);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"LDG", "STS", "LDS", "STG"}));
  const MachineFunction* const second = cubin->find("second");
  ASSERT_NE(second, nullptr);
  const auto accesses = accesses_of(*second);
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(name_of(accesses[0]), "LDG.64");
  EXPECT_EQ(name_of(accesses[1]), "STG.64");
  EXPECT_EQ(cubin->find("third"), nullptr);
}

TEST_F(CubinFile, that_is_cut_is_an_error_or_has_less) {
  for (size_t size = 0; size < file_.size(); size += size < 128 ? 1 : 37) {
    const auto cubin = read(std::string_view(file_).substr(0, size));
    const bool may_be_whole = size > file_.size() / 2;  // what is cut may be what nobody reads
    EXPECT_TRUE(!cubin || may_be_whole) << size << " bytes";
  }
  EXPECT_EQ(read("no cubin").error().kind, ErrorKind::Syntax);
}

TEST_F(CubinFile, that_is_damaged_is_read_or_refused) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = file_;
    for (int n = 0; n < 1 + round % 8; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (const auto cubin = read(damaged))
      for (const MachineFunction& function : cubin->functions) (void)accesses_of(function);
  }
}

}  // namespace
}  // namespace lanescope::sass
