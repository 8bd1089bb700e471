// `lanescope run --producer gpu`: a program's calls go to a driver, chosen launches are captured and repeated
// in the emulator. The driver here is Lanescope's own: the run is the program of another one.

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

/// Kernels: `gather` sums what a table of pointers in memory leads to (one of them to memory that is freed by
/// then) and adds a variable of the module, which the program changes; `place` writes a part of an address,
/// which is another in the emulator; `fault` stores through null. The words of the command line are the
/// kernels that are launched.
constexpr const char* kProgram = R"py(
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so")  # as Numba loads it; most programs load libcuda.so.1
def check(result):
    if result: sys.exit(f"error {result}")
check(cuda.cuInit(0))
context, module = ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(cuda.cuCtxSetCurrent(context))
ptx = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .f32 bias = 0f3F800000;
.visible .entry _Z6gatherPKPKfPf(.param .u64 table, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3;
  ld.global.u64 %rd4, [%rd1]; ld.global.u64 %rd5, [%rd1+16];
  add.u64 %rd4, %rd4, %rd3; add.u64 %rd5, %rd5, %rd3;
  ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5]; ld.global.f32 %f3, [bias];
  add.f32 %f4, %f1, %f2; add.f32 %f4, %f4, %f3;
  st.global.f32 [%rd2], %f4;
  ret;
}
.visible .entry place(.param .u64 table, .param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; shr.u64 %rd2, %rd1, 4; st.global.u64 [%rd1], %rd2;
  ret;
}
.visible .entry fault(.param .u64 table, .param .u64 out) {
  .reg .b64 %rd<4>;
  mov.u64 %rd1, 0; st.global.u64 [%rd1], %rd1;
  ret;
}
"""
check(cuda.cuModuleLoadData(ctypes.byref(module), ptx))
def allocate(values):
    address = ctypes.c_uint64()
    check(cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(ctypes.sizeof(values))))
    check(cuda.cuMemcpyHtoD_v2(address, values, ctypes.c_size_t(ctypes.sizeof(values))))
    return address
n = 32
floats = ctypes.c_float * n
a, b = allocate(floats(*range(n))), allocate(floats(*[100.0] * n))
gone = allocate(floats())
table, out = allocate((ctypes.c_uint64 * 3)(a.value, gone.value, b.value)), allocate(floats())
check(cuda.cuMemFree_v2(gone))
bias, size = ctypes.c_uint64(), ctypes.c_size_t()
check(cuda.cuModuleGetGlobal_v2(ctypes.byref(bias), ctypes.byref(size), module, b"bias"))
check(cuda.cuMemcpyHtoD_v2(bias, (ctypes.c_float * 1)(0.5), ctypes.c_size_t(4)))
parameters = (ctypes.c_void_p * 2)(*[ctypes.addressof(p) for p in (table, out)])
names = {"gather": b"_Z6gatherPKPKfPf", "place": b"place", "fault": b"fault"}
for name in sys.argv[1:]:
    function = ctypes.c_void_p()
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, names[name]))
    result = cuda.cuLaunchKernel(function, 1, 1, 1, n if name == "gather" else 1, 1, 1, 0, None, parameters, None)
    print(name, result)
check(cuda.cuCtxSynchronize())
result = floats()
check(cuda.cuMemcpyDtoH_v2(result, out, ctypes.c_size_t(4 * n)))
print(result[3])
)py";

class GpuRun : public testing::Test {
 protected:
  void SetUp() override {
    const auto driver =
        std::filesystem::path(tests::lanescope_program()).parent_path() / "driver/forward/libcuda.so.1";
    if (!std::filesystem::exists(driver))
      GTEST_SKIP() << "this build has no driver: CUDA's headers are missing";
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "Python does not load a library that AddressSanitizer instruments";
#endif
    std::ofstream(folder_ / "program.py") << kProgram;
  }
  /// The program with these kernels, on a driver that another run provides.
  auto run(std::vector<std::string> options, std::vector<std::string> kernels) const {
    std::vector<std::string> words{
        "run", "--json", folder_ / "driver.json", "--", tests::lanescope_program(), "run", "--producer",
        "gpu", "--save", folder_ / "run"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "/usr/bin/python3", folder_ / "program.py"});
    words.insert(words.end(), kernels.begin(), kernels.end());
    return tests::run_program(words);
  }
  nlohmann::json report() const { return nlohmann::json::parse(std::ifstream(folder_ / "run/run.json")); }
  tests::TemporaryFolder folder_{"gpu-run"};
};

TEST_F(GpuRun, launches_are_timed_and_nothing_is_emulated_without_a_request) {
  const auto done = run({}, {"gather", "gather"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "gather 0\ngather 0\n103.5\n");
  EXPECT_THAT(done.error, HasSubstr("2 launches, on the GPU; times measured there by events"));
  const auto json = report();
  EXPECT_EQ(json["producer"], "gpu");
  EXPECT_EQ(json["provenance"], "measured");
  EXPECT_EQ(json["gpu"], "Lanescope emulator (sm_80)");
  EXPECT_EQ(json["device"], "ampere") << "for the figures of captured launches";
  ASSERT_EQ(json["launches"].size(), 2u);
  for (const auto& launch : json["launches"]) {
    EXPECT_EQ(launch["kernel"], "gather");
    EXPECT_GT(launch["measured_seconds"].get<double>(), 0);
    EXPECT_FALSE(launch.contains("sectors"));
    EXPECT_FALSE(launch.contains("emulated_seconds"));
  }
}

TEST_F(GpuRun, a_captured_launch_follows_pointers_in_memory_and_has_the_variables_of_then) {
  const auto done = run({"--capture", "gather:1"}, {"gather", "gather", "gather"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error,
              HasSubstr("gather (launch 2): memory after it is equal to the GPU's (5 buffers, 412 bytes)"));
  const auto json = report();
  ASSERT_EQ(json["launches"].size(), 3u);
  EXPECT_FALSE(json["launches"][0].contains("file"));
  EXPECT_FALSE(json["launches"][2].contains("file"));
  const auto& captured = json["launches"][1];
  EXPECT_TRUE(captured["memory_after"]["equal"].get<bool>());
  EXPECT_EQ(captured["findings"].size(), 0u) << captured;
  EXPECT_GT(captured["measured_seconds"].get<double>(), 0);
  EXPECT_GT(captured["sectors"].get<int>(), 0);
  const std::string file = captured["file"];
  const auto plot = tests::run_program(
      {"plot", folder_ / "run" / file, "--figure", "totals", "-o", folder_ / "totals.svg"});
  EXPECT_EQ(plot.status, 0) << plot.error;
}

TEST_F(GpuRun, memory_that_differs_is_shown_with_both_values) {
  const auto done = run({"--capture", "place"}, {"place"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("place (launch 1): "));
  EXPECT_THAT(done.error, HasSubstr("differ from the GPU's memory; the first is parameter 1[1]: "));
  const auto json = report();
  EXPECT_FALSE(json["launches"][0]["memory_after"]["equal"].get<bool>());
}

TEST_F(GpuRun, a_launch_that_fails_on_the_gpu_is_not_compared) {
  const auto done = run({"--capture", "fault", "--capture", "gather:7"}, {"fault", "gather"});
  EXPECT_EQ(done.output, "fault 700\ngather 700\n") << "the failure stays: " << done.error;
  EXPECT_THAT(done.error,
              HasSubstr("fault (launch 1): the driver answered CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
  EXPECT_THAT(done.error,
              HasSubstr("launch 1 of fault was not captured: the driver did not make the launch"));
  EXPECT_THAT(done.error, HasSubstr("--capture gather:7: the kernel was launched 1 time"));
  EXPECT_EQ(done.status, 1) << "the program's";
}

TEST_F(GpuRun, options_that_do_not_go_together_say_so) {
  const auto status = [](std::vector<std::string> options) {
    options.insert(options.begin(), "run");
    options.insert(options.end(), {"--", "true"});
    return tests::run_program(options);
  };
  const auto alone = status({"--capture", "add"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.error, HasSubstr("--capture needs --producer gpu"));
  EXPECT_EQ(status({"--producer", "gpu", "--device", "h200"}).status, 2);
  EXPECT_EQ(status({"--producer", "gpu", "--keep", "all"}).status, 2);
  EXPECT_EQ(status({"--producer", "gpu", "--capture", "add:x"}).status, 2);
  EXPECT_EQ(status({"--producer", "else"}).status, 2);
}

TEST_F(GpuRun, without_a_driver_it_says_so) {
  const auto done = tests::run_program({"run", "--producer", "gpu", "--", "true"});
  if (done.status == 0) GTEST_SKIP() << "this machine has a driver";
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("run the program in the emulator"));
}

}  // namespace
}  // namespace lanescope
