// `lanescope run --level sass`: the launches of a program count the machine code that ptxas makes of its PTX.

#include "support/pair_kernel.h"
#include "support/program.h"
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
using Json = nlohmann::json;

/// Launches the kernel of pair.ptx beside it twice. "crowded": with two memory instructions on a line.
constexpr const char* kPairProgram = R"py(
import ctypes, os, sys
cuda = ctypes.CDLL("libcuda.so.1")
def check(result):
    if result: sys.exit(10)
check(cuda.cuInit(0))
context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(cuda.cuCtxSetCurrent(context))
ptx = open(os.path.join(os.path.dirname(__file__), "pair.ptx"), "rb").read()
if "crowded" in sys.argv: ptx = ptx.replace(b"%f1;\n  st", b"%f1; st")
check(cuda.cuModuleLoadData(ctypes.byref(module), ptx))
check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"pair"))
pointer = ctypes.c_uint64()
check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(128)))
parameters = (ctypes.c_void_p * 1)(ctypes.addressof(pointer))
for _ in range(2):
    check(cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, parameters, None))
check(cuda.cuCtxSynchronize())
out = (ctypes.c_float * 32)()
check(cuda.cuMemcpyDtoH_v2(out, pointer, ctypes.c_size_t(128)))
print("right" if all(value == 2.0 for value in out) else "WRONG")
)py";

class RunLevel : public testing::Test {
 protected:
  void SetUp() override {
    const auto driver =
        std::filesystem::path(tests::lanescope_program()).parent_path() / "driver/libcuda.so.1";
    if (!std::filesystem::exists(driver))
      GTEST_SKIP() << "this build has no driver: CUDA's headers are missing";
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "Python does not load a library that AddressSanitizer instruments";
#endif
    std::ofstream(folder_.path() / "pair.ptx") << tests::kPairKernel;
    std::ofstream(folder_.path() / "pair.py") << kPairProgram;
  }
  tests::Finished run(const std::vector<std::string>& options, const std::string& argument = "") const {
    std::vector<std::string> words{"run"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "python3", (folder_.path() / "pair.py").string()});
    if (!argument.empty()) words.push_back(argument);
    return tests::run_program(words);
  }
  static bool is_without_assembler(const tests::Finished& finished) {
    return finished.error.contains("made by ptxas, which was not found") ||
           finished.error.contains("could not be fetched");
  }
  tests::TemporaryFolder folder_{"run-level"};
};

TEST_F(RunLevel, sass_counts_the_machine_code_of_each_launch) {
  const tests::Finished finished = run({"--level", "sass"});
  if (is_without_assembler(finished)) GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.output, HasSubstr("right"));
  // Each launch has 5 requests in the PTX; a store and a load of 8 bytes are one of each.
  EXPECT_THAT(finished.error,
              HasSubstr("counts of the machine code for sm_80: 10 of 10 requests of the PTX are "
                        "matched with it"));
  EXPECT_THAT(finished.error, HasSubstr("LDS.64"));

  const std::string report = (folder_.path() / "run.json").string();
  ASSERT_EQ(run({"--level", "sass", "--json", report}).status, 0);
  std::ifstream read(report);
  const Json json = Json::parse(read);
  const Json& launch = json["launches"][0];
  EXPECT_EQ(launch["level"], "sass");
  EXPECT_EQ(launch["totals"]["shared_load"]["requests"], 1);
  EXPECT_EQ(launch["totals"]["shared_store"]["requests"], 1);
  EXPECT_EQ(launch["machine_code"]["arch"], "sm_80");
  EXPECT_EQ(launch["machine_code"]["requests"], 5);
  EXPECT_EQ(json["launches"][1]["totals"], launch["totals"]) << "a repeat has its counts, too";
}

TEST_F(RunLevel, ptx_is_the_default) {
  const std::string report = (folder_.path() / "run.json").string();
  const tests::Finished finished = run({"--json", report});
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.error, Not(HasSubstr("machine code")));
  std::ifstream read(report);
  const Json launch = Json::parse(read)["launches"][0];
  EXPECT_EQ(launch["level"], "ptx");
  EXPECT_EQ(launch["totals"]["shared_load"]["requests"], 2);
  EXPECT_FALSE(launch.contains("machine_code"));
}

TEST_F(RunLevel, a_kernel_that_cannot_be_matched_counts_the_ptx_and_says_why) {
  const tests::Finished finished = run({"--level", "sass"}, "crowded");
  if (is_without_assembler(finished)) GTEST_SKIP() << finished.error;
  EXPECT_EQ(finished.status, 0) << finished.error;
  EXPECT_THAT(finished.error, HasSubstr("the counts are those of the PTX: "));
  EXPECT_THAT(finished.error, HasSubstr("several memory instructions"));
}

TEST_F(RunLevel, a_kept_trace_has_the_level) {
  const std::string folder = (folder_.path() / "kept").string();
  const tests::Finished finished = run({"--level", "sass", "--save", folder});
  if (is_without_assembler(finished)) GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  const std::string table = (folder_.path() / "totals.csv").string();
  const tests::Finished plotted =
      tests::run_program({"plot", folder + "/0000-pair.lane", "--figure", "totals", "-o", table});
  ASSERT_EQ(plotted.status, 0) << plotted.error;
  std::ifstream read(table);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(read), {}),
              HasSubstr("counts of the machine code (SASS)"));
}

TEST_F(RunLevel, of_a_gpu_is_refused) {
  const tests::Finished finished = run({"--level", "sass", "--producer", "gpu"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.error, HasSubstr("--level is of emulated launches"));
}

}  // namespace
}  // namespace lanescope
