// NVIDIA's assembler takes the instrumented PTX, where it is installed: recorders are correct PTX for GPUs
// from compute capability 7.5 on.

#include "gpu/instrument/instrument.h"
#include "ptx/lower.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/stored_kernel.h"
#include "support/temporary_folder.h"

#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();

gpu::RecorderLayout plan_for(const ptx::Module& module, const ptx::Program& program,
                             gpu::RecorderLayout::What what, Dim3 block) {
  gpu::RecorderLayout plan;
  plan.what = what;
  plan.cursor = gpu::cursor_for(module, program);
  plan.grid = {64, 64, 1};
  plan.block = block;
  plan.address = 0x7f0012340000;
  plan.sites = static_cast<uint32_t>(program.sites.size());
  plan.regions = plan.end_region = 256;
  plan.list_capacity = 100;
  plan.kept_blocks = 4096;
  plan.chunk_units = 17;
  plan.pool_chunks = 64;
  plan.accumulates = true;  // where a loop is
  plan.expected.assign(plan.sites, gpu::ExpectedSteps{.stride = 4, .row_stride = 256, .is_only = true});
  return plan;
}

/// What the assembler says; empty if it is content.
std::string complaints(const std::string& text, const std::string& arch, const fs::path& folder) {
  const fs::path file = folder / "instrumented.ptx";
  const fs::path log = folder / "log";
  std::ofstream(file) << text;
  const std::string command = fmt::format("ptxas -O1 -arch {} '{}' -o '{}' > '{}' 2>&1", arch, file.string(),
                                          (folder / "out").string(), log.string());
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
  return status == 0 ? std::string() : tests::read_file(log).value_or("no log").substr(0, 1000);
}

void expect_assembled(const std::string& text, const std::string& entry, const std::string& arch) {
  const auto module = ptx::parse(text, entry + ".ptx");
  ASSERT_TRUE(module) << describe(module.error());
  const auto program = ptx::lower(*module, entry);
  ASSERT_TRUE(program) << describe(program.error());
  if (!gpu::check_traceable(*module, *program)) return;
  const tests::TemporaryFolder folder("assembled");
  using What = gpu::RecorderLayout::What;
  for (const What what : {What::Totals, What::Records})
    for (const Dim3 block : {Dim3{32, 8, 1}, Dim3{16, 16, 1}}) {
      const auto made = gpu::instrument(*module, *program, plan_for(*module, *program, what, block));
      ASSERT_TRUE(made) << describe(made.error());
      EXPECT_EQ(complaints(made->text, arch, folder.path()), "") << entry;
    }
}

bool there_is_an_assembler() {
  return std::system("ptxas --version > /dev/null 2>&1") == 0;  // NOLINT(concurrency-mt-unsafe): one thread
}

TEST(Assembled, recorders_of_every_kind_of_access_for_an_h200) {
  if (!there_is_an_assembler()) GTEST_SKIP() << "ptxas is not installed";
  for (const char* name : {"local_arrays", "function_pointers", "matmul_async", "matmul_tiled", "atomics"})
    expect_assembled(*tests::read_file(kProject / "tests/data/kernels" / (std::string(name) + ".ptx")), name,
                     "sm_90");
  expect_assembled(*tests::read_file(kProject / "tests/fuzz/corpus/images.ptx"), "images", "sm_90");
}

TEST(Assembled, a_lesson_for_older_gpus) {
  if (!there_is_an_assembler()) GTEST_SKIP() << "ptxas is not installed";
  tests::StoredKernel kernel = tests::stored_kernels().front();
  for (const std::string arch : {"sm_75", "sm_89"}) {
    std::string text = kernel.text;
    const size_t at = text.find(".target sm_90");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 13, ".target " + arch);
    expect_assembled(text, kernel.entry(), arch);
  }
}

}  // namespace
}  // namespace lanescope
