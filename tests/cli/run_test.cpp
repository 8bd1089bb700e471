// `lanescope run`: programs that use CUDA's driver, with no GPU. The programs are Python with ctypes, which
// loads libcuda.so.1 as other clients do.

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

/// Adds two vectors of 64 floats in two blocks; `limit` threads store.
constexpr const char* kProgram = R"py(
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
def check(result):
    if result: sys.exit(10)
check(cuda.cuInit(0))
context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(cuda.cuCtxSetCurrent(context))
ptx = b"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd4, %r4, 4;
  add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd2, %rd4; add.u64 %rd3, %rd3, %rd4;
  ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd3], %f3;
  ret;
}
"""
check(cuda.cuModuleLoadData(ctypes.byref(module), ptx))
check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"add"))
n = 64
floats = ctypes.c_float * n
pointers = [ctypes.c_uint64() for _ in range(3)]
for p in pointers: check(cuda.cuMemAlloc_v2(ctypes.byref(p), ctypes.c_size_t(4 * n)))
a, b, out = floats(*range(n)), floats(*[2.0 * i for i in range(n)]), floats()
check(cuda.cuMemcpyHtoD_v2(pointers[0], a, ctypes.c_size_t(4 * n)))
check(cuda.cuMemcpyHtoD_v2(pointers[1], b, ctypes.c_size_t(4 * n)))
parameters = (ctypes.c_void_p * 3)(*[ctypes.addressof(p) for p in pointers])
blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 2
stream = ctypes.c_void_p()
is_early = "early" in sys.argv  # a stream of its own, for which the copy does not wait
if is_early: check(cuda.cuStreamCreate(ctypes.byref(stream), 1))
result = cuda.cuLaunchKernel(function, blocks, 1, 1, 32, 1, 1, 0, stream, parameters, None)
if result: sys.exit(20 if result == 700 else 21)
if not is_early: check(cuda.cuCtxSynchronize())
check(cuda.cuMemcpyDtoH_v2(out, pointers[2], ctypes.c_size_t(4 * n)))
print("right" if all(out[i] == 3.0 * i for i in range(n)) else "WRONG")
)py";

class Run : public testing::Test {
 protected:
  void SetUp() override {
    const auto driver =
        std::filesystem::path(tests::lanescope_program()).parent_path() / "driver/libcuda.so.1";
    if (!std::filesystem::exists(driver))
      GTEST_SKIP() << "this build has no driver: CUDA's headers are missing";
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "Python does not load a library that AddressSanitizer instruments";
#endif
    std::ofstream(program()) << kProgram;
  }
  std::string program() const { return folder_ / "add.py"; }
  std::vector<std::string> command(std::vector<std::string> options,
                                   std::vector<std::string> arguments = {}) const {
    options.insert(options.begin(), "run");
    options.insert(options.end(), {"--", "/usr/bin/python3", program()});
    options.insert(options.end(), arguments.begin(), arguments.end());
    return options;
  }
  tests::TemporaryFolder folder_{"run"};
};

TEST_F(Run, a_program_s_output_and_status_are_its_own_and_a_table_follows) {
  const auto run = tests::run_program(command({}));
  EXPECT_EQ(run.status, 0) << run.error;
  EXPECT_EQ(run.output, "right\n");
  EXPECT_THAT(run.error, HasSubstr("1 launch, in the emulator"));
  EXPECT_THAT(run.error, HasSubstr("1       add     1         2, 32"));
  EXPECT_THAT(run.error, HasSubstr("24 (ideal)"));
}

TEST_F(Run, a_bad_address_is_an_error_of_the_launch_and_in_the_report) {
  const auto run = tests::run_program(command({}, {"3"}));
  EXPECT_EQ(run.status, 20) << run.error;
  EXPECT_THAT(run.error, testing::ContainsRegex("\nadd: .*beyond"));
  EXPECT_THAT(run.error, HasSubstr("1 found, 1 failed"));
}

TEST_F(Run, a_copy_that_does_not_wait_for_the_kernel_is_noted) {
  const auto run = tests::run_program(command({"--json", folder_ / "run.json"}, {"2", "early"}));
  EXPECT_EQ(run.output, "right\n") << "the emulator has done the work by then";
  EXPECT_THAT(run.error,
              HasSubstr("note: cuMemcpyDtoH on the default stream reads what kernel add on stream 3 "
                        "writes, and nothing makes it wait"));
  const auto json = nlohmann::json::parse(std::ifstream(folder_ / "run.json"));
  EXPECT_EQ(json["notes"].size(), 1u);
  EXPECT_THAT(tests::run_program(command({})).error, testing::Not(HasSubstr("note:")));
}

TEST_F(Run, save_keeps_a_list_and_the_accesses) {
  const auto run = tests::run_program(command({"--save", folder_ / "kept"}));
  EXPECT_EQ(run.status, 0) << run.error;
  const auto json = nlohmann::json::parse(std::ifstream(folder_ / "kept/run.json"));
  EXPECT_EQ(json["status"], 0);
  ASSERT_EQ(json["launches"].size(), 1u);
  EXPECT_EQ(json["launches"][0]["sectors"], 24);
  const std::string file = json["launches"][0]["file"];
  const auto plot = tests::run_program(
      {"plot", folder_ / "kept" / file, "--figure", "totals", "-o", folder_ / "totals.svg"});
  EXPECT_EQ(plot.status, 0) << plot.error;
  const auto again = tests::run_program(command({"--save", folder_ / "kept"}));
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.error, HasSubstr("there is a run in this folder already"));
}

TEST_F(Run, json_is_on_standard_output_or_in_a_file) {
  const auto run = tests::run_program(command({"--json", folder_ / "report.json"}));
  EXPECT_EQ(run.status, 0) << run.error;
  const auto json = nlohmann::json::parse(std::ifstream(folder_ / "report.json"));
  EXPECT_EQ(json["launches"][0]["kernel"], "add");
  EXPECT_EQ(json["provenance"], "emulated");
  EXPECT_EQ(json["launches"][0]["totals"]["global_load"]["sectors"], 16) << "two arrays of 64 floats";
  EXPECT_EQ(json["launches"][0]["totals"]["global_store"]["sectors"], 8);
  EXPECT_EQ(json["launches"][0]["totals"]["shared_load"]["requests"], 0);
  EXPECT_EQ(json["launches"][0]["launch"]["grid"][0], 2);
  EXPECT_TRUE(json["launches"][0]["hazards"].empty());
  const auto bad = tests::run_program(command({"--json", folder_ / "bad.json"}, {"3"}));
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(folder_ / "bad.json"))["launches"][0]["hazards"][0]["kind"],
            "out_of_bounds");
  // An option of the program's, right after an option of ours whose value may be left out.
  const auto printed = tests::run_program({"run", "--json", "--", "/bin/sh", "-c", "exit 5"});
  EXPECT_EQ(printed.status, 5);
  EXPECT_EQ(nlohmann::json::parse(printed.output)["status"], 5);
}

TEST_F(Run, without_a_program_or_with_one_that_is_not_there_it_says_so) {
  const auto none = tests::run_program({"run"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.error, HasSubstr("the program to run is missing"));
  const auto missing = tests::run_program({"run", "--", "/no/such/program"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.error, HasSubstr("/no/such/program"));
  const auto device = tests::run_program({"run", "--device", "h9000", "--", "true"});
  EXPECT_NE(device.status, 0);
}

TEST_F(Run, a_program_without_launches_runs_as_ever) {
  const auto run = tests::run_program({"run", "--", "/bin/sh", "-c", "echo hello; exit 7"});
  EXPECT_EQ(run.status, 7);
  EXPECT_EQ(run.output, "hello\n");
  EXPECT_THAT(run.error, HasSubstr("no kernel was launched"));
  EXPECT_EQ(tests::run_program({"run", "--", "/bin/sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST_F(Run, two_programs_run_at_once) {
  const std::string one = tests::lanescope_program() + " run -- /usr/bin/python3 " + program();
  const std::string file = folder_ / "output";
  const auto both = tests::run_program_in({.program = "/bin/sh"},
                                          {"-c", one + " > " + file + " & " + one + "; wait; cat " + file});
  EXPECT_EQ(both.output, "right\nright\n");
}

TEST_F(Run, an_interrupt_ends_the_launch_and_not_the_run) {
  // A loop of 2^40 rounds, before what the program computes.
  std::string text = kProgram;
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace(".reg .f32 %f<4>;", ".reg .f32 %f<4>; .reg .pred %p;");
  replace("mov.u32 %r1, %ctaid.x;",
          "mov.u64 %rd7, 0; L: add.u64 %rd7, %rd7, 1; setp.lt.u64 %p, %rd7, 1099511627776; @%p bra L; "
          "mov.u32 %r1, "
          "%ctaid.x;");
  std::ofstream(folder_ / "slow.py") << "import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\n"
                                     << text;
  // As a terminal does, timeout sends the signal to all of the group.
  const auto run = tests::run_program_in(
      {.program = "/usr/bin/timeout"},
      {"-s", "INT", "3", tests::lanescope_program(), "run", "--", "/usr/bin/python3", folder_ / "slow.py"});
  EXPECT_THAT(run.error, HasSubstr("the launch was interrupted"));
  EXPECT_THAT(run.error, HasSubstr("1 launch, in the emulator")) << "the report is printed";
}

TEST_F(Run, a_kernel_of_jupyter_is_written) {
  const auto run = tests::run_program_in({.program = "/usr/bin/env"},
                                         {"JUPYTER_DATA_DIR=" + std::string(folder_ / "jupyter"),
                                          tests::lanescope_program(), "run", "--kernel-spec"});
  EXPECT_EQ(run.status, 0) << run.error;
  const auto json = nlohmann::json::parse(std::ifstream(folder_ / "jupyter/kernels/lanescope/kernel.json"));
  EXPECT_EQ(json["display_name"], "Python 3 (Lanescope)");
  EXPECT_EQ(json["argv"][0], tests::lanescope_program());
  EXPECT_EQ(json["argv"][1], "run");
  EXPECT_EQ(json["argv"][3], "auto") << "cells show figures of what was kept";
}

}  // namespace
}  // namespace lanescope
