// `lanescope sweep` and `lanescope merge`: rows of all combinations, ends at any moment, and what is refused.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using tests::Finished;
using tests::lanescope_program;
using tests::run_program;
using tests::run_program_in;

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Sweep : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// A kernel of PTX that stores a word for each thread into an array of 64.
  std::string store_kernel() const {
    std::ofstream(path("store.ptx"))
        << ".version 7.8\n.target sm_90\n.address_size 64\n.entry store(.param .u64 out)\n{\n"
           "  .reg .b32 %r<2>;\n  .reg .b64 %a<4>;\n  ld.param.u64 %a1, [out];\n"
           "  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %a2, %r1, 4;\n  add.u64 %a3, %a1, %a2;\n"
           "  st.global.u32 [%a3], %r1;\n  ret;\n}\n";
    return path("store.ptx");
  }
  Words store_sweep(const std::string& blocks, const std::string& output) const {
    return {"sweep", store_kernel(), "--arg", "u32[64]:zeros", "--block", blocks, "-o", path(output)};
  }
  tests::TemporaryFolder folder_{"sweep"};
};

const Words kTranspose{
    "sweep", "--lesson", "transpose", "--set", "size=64..2048:64", "--set", "order=row-major,diagonal"};
constexpr int kCombinations = 32 * 2;

/// The rows of both files are compared by the merge, which refuses two that differ.
void expect_same(const std::string& one, const std::string& other, const std::string& merged, int rows) {
  const Finished both = run_program({"merge", one, other, "-o", merged});
  EXPECT_EQ(both.status, 0) << both.error;
  EXPECT_THAT(both.error,
              HasSubstr(fmt::format("has {0} of {0} combinations; {0} rows were in several files", rows)));
}

/// 64 threads in blocks of 16 and 48: 4 blocks, and 2 where 1.33 are needed. Each block of 16 stores 2
/// sectors, one of 48 stores 6.
TEST_F(Sweep, a_grid_may_follow_the_block) {
  const Words words = store_sweep("16,48", "g.sqlite");
  const Finished wrong = run_program(words + Words{"--grid", "64/block.x"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.error, HasSubstr("the shape of grid=64/block.x, block=48: '64/block.x' is 1.33333"));
  const Finished done = run_program(words + Words{"--grid", "ceil(64/block.x)"});
  EXPECT_EQ(done.status, 0) << done.error;
  const Finished best =
      run_program({"plot", "--from", path("g.sqlite"), "--x", "block", "--y", "sectors", "--as", "best"});
  EXPECT_THAT(best.output, testing::ContainsRegex("16 +8"));
  EXPECT_THAT(best.output, testing::ContainsRegex("48 +12"));
}

TEST_F(Sweep, each_combination_has_a_row_and_a_second_time_does_nothing) {
  const Words words{"sweep", "--lesson",    "transpose", "--set",         "size=64,128",
                    "--set", "padding=0,1", "-o",        path("s.sqlite")};
  for (int time = 0; time < 2; ++time) {
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_EQ(done.error, path("s.sqlite") + " has 4 of 4 combinations\n");
    EXPECT_EQ(done.output, "");
  }
}

TEST_F(Sweep, a_kill_at_any_moment_loses_nothing_and_repeats_nothing) {
  ASSERT_EQ(run_program(kTranspose + Words{"-o", path("whole.sqlite")}).status, 0);
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::minstd_rand random(seed);
  int kills = 0;
  Finished done;
  do {
    // Short at first, since a fast machine ends the whole sweep in 0.6 s, and longer after a few kills, so
    // that a slow machine comes to an end too.
    const double most = 0.1 * (1 + kills / 5);
    const std::string seconds =
        fmt::format("{:.3f}", 0.02 + most * static_cast<double>(random() % 4000) / 4000);
    done = run_program_in({"/usr/bin/timeout"},
                          Words{"--foreground", "-s", "KILL", seconds, lanescope_program()} + kTranspose +
                              Words{"-o", path("killed.sqlite")});
    kills += done.status == 137 ? 1 : 0;
    // 124: the time was over just when the sweep ended.
    ASSERT_THAT(done.status, testing::AnyOf(0, 137, 124)) << done.error;
    ASSERT_LT(kills, 1000);
  } while (done.status != 0);
  EXPECT_GT(kills, 0) << "the sweep is too short to be killed";
  expect_same(path("whole.sqlite"), path("killed.sqlite"), path("both.sqlite"), kCombinations);
}

TEST_F(Sweep, an_interrupt_ends_it_in_order_and_says_how_to_go_on) {
  const Words words{"sweep", "--lesson", "transpose", "--set", "size=256..8192:256", "-o", path("s.sqlite")};
  for (const auto& [signal, status] : {std::pair{"INT", 128 + 2}, std::pair{"TERM", 128 + 15}}) {
    const Finished stopped = run_program_in(
        {"/usr/bin/timeout"}, Words{"-s", signal, "--preserve-status", "1", lanescope_program()} + words);
    EXPECT_EQ(stopped.status, status) << stopped.error;
    EXPECT_THAT(
        stopped.error,
        ContainsRegex("stopped: .*s.sqlite has [0-9]+ of 32 combinations; the same command goes on\n"));
    EXPECT_EQ(std::ranges::count(stopped.error, '\n'), 1) << stopped.error;
  }
}

TEST_F(Sweep, shards_and_a_merge_make_the_same_database) {
  ASSERT_EQ(run_program(kTranspose + Words{"-o", path("whole.sqlite")}).status, 0);
  Words merge{"merge", "-o", path("all.sqlite")};
  for (int index = 1; index <= 3; ++index) {
    const std::string part = path(fmt::format("{}.sqlite", index));
    const Finished done = run_program(kTranspose + Words{"--shard", fmt::format("{}/3", index), "-o", part});
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_THAT(done.error,
                ContainsRegex(fmt::format("has 2[12] of 2[12] combinations of shard {}/3", index)));
    if (index != 2) merge.push_back(part);
  }
  const Finished missing = run_program(merge);
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.error, ContainsRegex("has 4[23] of 64 combinations; 2[12] are missing"));
  EXPECT_EQ(run_program(merge + Words{path("2.sqlite")}).status, 0);
  expect_same(path("whole.sqlite"), path("all.sqlite"), path("both.sqlite"), kCombinations);
}

/// tests/programs/slurm_test.py runs the other scripts.
TEST_F(Sweep, scripts_of_jobs_run_the_parts) {
  const Finished written = run_program({"sweep", "--lesson", "transpose", "--set", "size=64,128", "--jobs",
                                        "slurm:2", "-o", path("the jobs")});
  EXPECT_EQ(written.status, 0) << written.error;
  EXPECT_THAT(written.output, HasSubstr("the jobs/sweep.sbatch\n"));
  for (const char* part : {"1", "2"}) {
    const Finished done = run_program_in({"/bin/bash"}, {path("the jobs/part.sh"), part, "--threads", "1"});
    EXPECT_EQ(done.status, 0) << done.error;
  }
  const Finished merged = run_program_in({"/bin/bash"}, {path("the jobs/merge.sh")});
  EXPECT_EQ(merged.status, 0) << merged.error;
  EXPECT_THAT(merged.error, HasSubstr("all.sqlite has 2 of 2 combinations\n"));
}

TEST_F(Sweep, a_combination_that_fails_or_has_a_finding_is_a_row_too) {
  // 64 threads have an element each, 96 have not, and no device has a block of 2048.
  const Finished done = run_program(store_sweep("64,96,2048", "s.sqlite"));
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("has 3 of 3 combinations, 1 of them without counts, 1 with findings\n"));
  EXPECT_THAT(done.error, ContainsRegex("block=2048: .*2048"));
}

TEST_F(Sweep, a_name_in_braces_is_the_value_of_a_macro) {
  std::ofstream(path("fill.ptx"))
      << ".version 7.8\n.target sm_90\n.address_size 64\n.entry f(.param .u64 out)\n"
         "{\n  ret;\n}\n";
  const Finished done = run_program({"sweep", path("fill.ptx"), "-D", "N=32,64", "--arg", "u32[{N}]:zeros",
                                     "--block", "{N}x2", "-o", path("s.sqlite")});
  EXPECT_EQ(done.status, 0) << done.error;
  // Blocks of 32 x 2 and 64 x 2 threads are 2 and 4 warps of one instruction.
  const Finished table = run_program(
      {"plot", "--from", path("s.sqlite"), "--x", "N", "--y", "warp_instructions", "--as", "best"});
  EXPECT_THAT(table.output, ContainsRegex("\n32 +2 +[{]N[}]x2 +1\n64 +4 +[{]N[}]x2 +1\n"));
}

TEST_F(Sweep, a_resume_needs_the_same_sources_and_the_same_sweep) {
  ASSERT_EQ(run_program(store_sweep("32,64", "s.sqlite")).status, 0);
  const Finished other = run_program(store_sweep("32", "s.sqlite"));
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.error, HasSubstr("has another sweep (store.ptx --arg=u32[64]:zeros --block 32,64)"));
  const Words words = store_sweep("32,64", "s.sqlite");
  std::ofstream(path("store.ptx"), std::ios::app) << "// changed\n";
  const Finished changed = run_program(words);
  EXPECT_EQ(changed.status, 1);
  EXPECT_THAT(changed.error, HasSubstr("a file of store.ptx changed; choose another -o, or delete the file"));
}

/// The limit of a file's size stands for a full disk: SQLite reports both alike.
TEST_F(Sweep, a_full_disk_is_one_sentence_and_room_lets_it_go_on) {
  std::string command = "ulimit -f 44; exec \"$0\" \"$@\"";
  const Words words = kTranspose + Words{"-o", path("s.sqlite")};
  const Finished full = run_program_in({"/bin/bash"}, Words{"-c", command, lanescope_program()} + words);
  EXPECT_EQ(full.status, 1) << full.error;
  EXPECT_THAT(full.error,
              HasSubstr("s.sqlite: the rows cannot be stored; free some room, and the same command goes on"));
  EXPECT_EQ(std::ranges::count(full.error, '\n'), 1) << full.error;
  const Finished done = run_program(words);
  EXPECT_EQ(done.status, 0) << done.error;
}

TEST_F(Sweep, refuses_in_one_sentence) {
  std::ofstream(path("text.sqlite")) << std::string(1000, 'x');
  const Words lesson{"--lesson", "transpose", "--set", "size=64,128"};
  const struct {
    Words words;
    int status;
    const char* says;
  } kCases[] = {
      {lesson, 2, "-o FILE.sqlite is missing"},
      {lesson + Words{"-o", path("a.sqlite"), "--shard", "5/3"}, 2, "found '5/3'"},
      {lesson + Words{"-o", path("text.sqlite")}, 1, "text.sqlite: the file is no database"},
      {lesson + Words{"-o", path("no/a.sqlite")}, 1, "no/a.sqlite"},
      {lesson + Words{"-o", path("a.sqlite"), "--set", "size=256"}, 2, "'size' is given twice"},
      {lesson + Words{"-o", path("a.sqlite"), "--set", "order=across"}, 2,
       "toggle 'order' has no value 'across'"},
      {lesson + Words{"-o", path("a.sqlite"), "--set", "color=red"}, 2, "color"},
      {lesson + Words{"-o", path("a.sqlite"), "--producer", "gpu"}, 2, "leave out --producer"},
      {lesson + Words{"-o", path("a.sqlite"), "--blocks", "all"}, 2, "leave out --blocks"},
      {lesson + Words{"-o", path("a.sqlite"), "--device", "gt200"}, 2, "compute capability 5.0"},
      {lesson + Words{"-o", path("jobs"), "--jobs", "pbs:4"}, 2, "--jobs takes slurm:N or parallel:N"},
      {lesson + Words{"-o", path("jobs"), "--jobs", "slurm:4", "--shard", "1/4"}, 2, "leave --shard out"},
      {{"-o", path("a.sqlite")}, 2, "nothing to run"},
      {{path("no.cu"), "-o", path("a.sqlite")}, 1, "no.cu: there is no such file"},
      {{store_kernel(), "--set", "size=1", "-o", path("a.sqlite")}, 2, "for a file use -D NAME=VALUES"},
  };
  for (const auto& [more, status, says] : kCases) {
    const Finished done = run_program(Words{"sweep"} + more);
    EXPECT_EQ(done.status, status) << done.error;
    EXPECT_THAT(done.error, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
}

}  // namespace
}  // namespace lanescope
