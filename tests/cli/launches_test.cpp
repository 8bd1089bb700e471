// Several launches on the same buffers: --then, launch files, variables that launches share.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

/// Kernels in PTX, so that no compiler is needed: twice(x) doubles 32 words; next(x) adds to them a counter
/// in global memory, which it then increments; plus(x) adds a __constant__.
constexpr const char* kKernels = R"(.version 7.8
.target sm_90
.address_size 64
.global .align 4 .u32 counter = 1;
.const .align 4 .u32 step;
.entry twice(.param .u64 twice_param_0)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [twice_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r3, %r2, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
}
.entry next(.param .u64 next_param_0)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [next_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ld.global.u32 %r3, [counter];
  add.u32 %r4, %r2, %r3;
  st.global.u32 [%rd3], %r4;
  bar.sync 0;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  add.u32 %r5, %r3, 1;
  st.global.u32 [counter], %r5;
DONE:
  ret;
}
.entry plus(.param .u64 plus_param_0)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [plus_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ld.const.u32 %r3, [step];
  add.u32 %r4, %r2, %r3;
  st.global.u32 [%rd3], %r4;
  ret;
}
)";

class Launches : public testing::Test {
 protected:
  Launches() { write("kernels.ptx", kKernels); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string kernels() const { return (folder_ / "kernels.ptx").string(); }

  tests::TemporaryFolder folder_{"launches"};
};

TEST_F(Launches, a_launch_goes_on_with_what_the_one_before_left) {
  // x = 0, 1, 2, ...: doubled, then doubled twice.
  const Finished done =
      run_program({"trace", kernels(), "--kernel", "twice", "--block", "32", "--arg", "x=u32[32]:iota",
                   "--then", "twice", "--arg", "x", "--times", "2", "--show", "x[1:4]"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("launch 1 of 2: twice"));
  EXPECT_THAT(done.output, HasSubstr("launch 2 of 2, 2 times: twice"));
  EXPECT_THAT(done.output, HasSubstr("[1:4]  8 16 24\n"));
}

TEST_F(Launches, totals_add_up) {
  const Finished done = run_program({"trace", kernels(), "--kernel", "twice", "--block", "32", "--arg",
                                     "x=u32[32]:iota", "--then", "twice", "--arg=x", "--times=3", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const auto report = nlohmann::json::parse(done.output);
  ASSERT_EQ(report.at("launches").size(), 2u);
  EXPECT_EQ(report.at("launches")[0].at("totals").at("global_load").at("requests"), 1);
  EXPECT_EQ(report.at("launches")[1].at("totals").at("global_load").at("requests"), 3);
  EXPECT_EQ(report.at("totals").at("global_load").at("requests"), 4);
  EXPECT_EQ(report.at("totals").at("global_store").at("sectors"), 16);
}

TEST_F(Launches, variables_live_from_launch_to_launch) {
  // The counter is 1, 2, 3: x + 6.
  const Finished done =
      run_program({"trace", kernels(), "--kernel", "next", "--block", "32", "--arg", "x=u32[32]:zeros",
                   "--then", "next", "--arg", "x", "--times", "2", "--show", "x[0]"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("[0:1] 6\n"));
}

TEST_F(Launches, a_variable_can_be_given) {
  const auto with = [&](const std::string& constant, const std::string& kernel) {
    return run_program({"trace", kernels(), "--kernel", kernel, "--block", "32", "--arg", "x=u32[32]:zeros",
                        "--constant", constant, "--show", "x[0]"});
  };
  EXPECT_THAT(with("step=u32:7", "plus").output, HasSubstr("[0:1] 7\n"));
  EXPECT_THAT(with("counter=u32[1]:fill(9)", "next").output, HasSubstr("[0:1] 9\n"));
  for (const auto* constant : {"stop=u32:7", "step", "step=", "=u32:7"})
    EXPECT_EQ(with(constant, "plus").status, 2) << constant;
  const Finished large = with("step=u32[2]:iota", "plus");
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(large.error, HasSubstr("variable step has 4 bytes, 8 were given"));
  EXPECT_THAT(with("stop=u32:7", "plus").error, HasSubstr("used are: counter, step"));
}

TEST_F(Launches, a_launch_file_has_buffers_and_launches) {
  const std::string file = write("twice.toml", R"(file = "kernels.ptx"
[buffers]
x = "u32[32]:iota"
[variables]
step = "u32:100"
[[launch]]
kernel = "twice"
block = 32
arguments = ["x"]
times = 2
[[launch]]
kernel = "plus"
grid = [1, 1]
block = [32]
arguments = ["x"]
)");
  const Finished all = run_program({"trace", file, "--show", "x[1]"});
  EXPECT_EQ(all.status, 0) << all.error;
  EXPECT_THAT(all.output, HasSubstr("[1:2] 104\n"));
  const Finished first = run_program({"trace", file, "--launch", "1", "--show", "x[1]"});
  EXPECT_THAT(first.output, HasSubstr("[1:2] 4\n"));
  EXPECT_EQ(run_program({"trace", file, "--launch", "3"}).status, 2);
  EXPECT_EQ(run_program({"trace", file, "--block", "32"}).status, 2);
  EXPECT_EQ(run_program({"time", file}).status == 0, false);
  const Finished plot =
      run_program({"plot", file, "--figure", "sectors", "-o", (folder_ / "sectors.svg").string()});
  EXPECT_EQ(plot.status, 0) << plot.error;
}

TEST_F(Launches, a_wrong_launch_file_is_answered_with_its_line) {
  const auto answer = [&](std::string_view text) {
    const Finished done = run_program({"trace", write("wrong.toml", text)});
    EXPECT_EQ(done.status, 1) << text;
    return done.error;
  };
  EXPECT_THAT(answer("[["), HasSubstr("wrong.toml:1: this is not TOML"));
  EXPECT_THAT(answer(""), HasSubstr("'launch' must be a list"));
  EXPECT_THAT(answer("[[launch]]\nkernel = \"twice\"\nblock = 32\n"), HasSubstr("'file' is missing"));
  EXPECT_THAT(answer("file = \"kernels.ptx\"\n[[launch]]\nkernel = \"twice\"\n"),
              HasSubstr("'block' is missing"));
  EXPECT_THAT(answer("file = \"kernels.ptx\"\n[[launch]]\nblcok = 32\nblock = 32\n"),
              HasSubstr("wrong.toml:3: 'blcok' is unknown here"));
  EXPECT_THAT(answer("file = \"kernels.ptx\"\n[[launch]]\nblock = 32\ntimes = 0\n"),
              HasSubstr("'times' is 1 to"));
}

TEST_F(Launches, a_hazard_ends_the_launches) {
  const Finished done = run_program({"trace", kernels(), "--kernel", "twice", "--block", "64", "--arg",
                                     "x=u32[32]:iota", "--then", "twice", "--arg", "x"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("beyond"));
  EXPECT_THAT(done.output, Not(HasSubstr("launch 2")));
}

TEST_F(Launches, a_mistake_after_then_is_a_usage_error) {
  const auto status = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"trace", kernels(), "--kernel", "twice", "--block", "32", "--arg", "x=u32[32]:iota"});
    return run_program(words).status;
  };
  EXPECT_EQ(status({"--then"}), 2);
  EXPECT_EQ(status({"--then", "--arg", "x"}), 2);
  EXPECT_EQ(status({"--then", "twice", "--arg"}), 2);
  EXPECT_EQ(status({"--then", "twice"}), 2);
  EXPECT_EQ(status({"--then", "twice", "--arg", "y"}), 2);
  EXPECT_EQ(status({"--then", "twice", "--arg", "x", "--times", "0"}), 2);
  EXPECT_EQ(status({"--then", "nothing", "--arg", "x"}), 2);
}

}  // namespace
}  // namespace lanescope
