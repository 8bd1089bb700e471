// What a long run says when it is interrupted.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Progress, an_interrupted_run_says_how_far_it_came) {
  const tests::TemporaryFolder folder("progress");
  const std::string file = (folder / "long.ptx").string();
  // Each of a million blocks counts to 100,000.
  std::ofstream(file) << ".version 7.8\n.target sm_90\n.address_size 64\n.entry f()\n{\n  .reg .pred %p<2>;\n"
                         "  .reg .b32 %r<2>;\n  mov.u32 %r1, 0;\nLOOP:\n  add.u32 %r1, %r1, 1;\n"
                         "  setp.lt.u32 %p1, %r1, 100000;\n  @%p1 bra LOOP;\n  ret;\n}\n";
  const tests::Finished done = tests::run_program_in(
      {"/usr/bin/timeout"}, {"-s", "INT", "--preserve-status", "1", tests::lanescope_program(), "trace", file,
                             "--kernel", "f", "--grid", "1000000", "--block", "1024"});
  EXPECT_EQ(done.status, 128 + 2) << done.error;
  EXPECT_THAT(done.error, testing::ContainsRegex("stopped at f: [0-9]+ of 1000000 blocks"));
  EXPECT_EQ(done.output, "");
}

/// Interrupts at any moment, also while the buffers of 256 MiB are filled, which is before the first block. A
/// signal that comes before `main` (a sanitized program on a loaded machine) ends the process without a word.
TEST(Progress, an_interrupted_run_of_a_lesson_says_that_it_was_stopped) {
  int interrupted = 0;
  for (const char* seconds : {"0.1", "0.2", "0.3", "0.5", "1", "2"}) {
    const tests::Finished done = tests::run_program_in(
        {"/usr/bin/timeout"}, {"-s", "INT", "--preserve-status", seconds, tests::lanescope_program(), "trace",
                               "--lesson", "transpose", "--set", "size=8192"});
    if (done.status == 0) continue;  // a fast machine
    EXPECT_EQ(done.status, 128 + 2) << done.error;
    if (done.error.empty()) continue;  // before main
    EXPECT_THAT(done.error, testing::StartsWith("stopped at ")) << seconds;
    ++interrupted;
  }
  EXPECT_GT(interrupted, 0);
}

}  // namespace
}  // namespace lanescope
