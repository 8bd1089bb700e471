// The scripts of a sweep's jobs; tests/programs/slurm_test.py runs them.

#include "sweep/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const JobCommand kCommand{.program = "/opt/lane scope",
                          .working = "/rooms/it's",
                          .folder = "/jobs",
                          .words = {"sweep", "k.cu", "--arg", "f32[{N}]:zeros"}};

TEST(Jobs, a_kind_and_a_number_of_parts) {
  EXPECT_EQ(parse_jobs("slurm:16")->parts, 16u);
  EXPECT_EQ(parse_jobs("parallel:2")->scheduler, JobPlan::Scheduler::Parallel);
  for (const char* text : {"slurm", "slurm:0", "pbs:4", "slurm:x", "", "parallel:-1"}) {
    const auto plan = parse_jobs(text);
    ASSERT_FALSE(plan) << text;
    EXPECT_THAT(plan.error().message, HasSubstr(std::string("found '") + text + "'"));
  }
}

TEST(Jobs, words_are_quoted_for_the_shell) {
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  const auto files = job_files({JobPlan::Scheduler::Slurm, 3}, kCommand);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].name, "part.sh");
  EXPECT_THAT(files[0].text, HasSubstr("cd '/rooms/it'\\''s' || exit 1\n"));
  EXPECT_THAT(files[0].text, HasSubstr("exec '/opt/lane scope' 'sweep' 'k.cu' '--arg' 'f32[{N}]:zeros' "
                                       "--shard \"$1/3\" -o '/jobs'/\"$1.sqlite\" \"${@:2}\"\n"));
  EXPECT_EQ(files[2].name, "sweep.sbatch");
  EXPECT_THAT(files[2].text, HasSubstr("#SBATCH --array=1-3\n"));
}

TEST(Jobs, options_are_left_out_with_their_values) {
  EXPECT_THAT(
      without_options({"sweep", "-o", "x", "--set", "size=1", "--jobs=slurm:2", "-o=y"}, {"-o", "--jobs"}),
      ElementsAre("sweep", "--set", "size=1"));
}

}  // namespace
}  // namespace lanescope::sweep
