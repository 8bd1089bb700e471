// What the window gets when it runs the program that a source is: a folder of launches, what the program
// printed, how it ended; nothing of one that was cancelled.

#include "shell/hosting/session_program.h"

#include "pipeline/program_run.h"
#include "support/project.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kSet =
    "#include <cstdio>\n#include <cstdlib>\n__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
    "int main(int count, char** words) {\n  int* p;\n  cudaMalloc(&p, 128);\n  set<<<1, 32>>>(p);\n"
    "  cudaDeviceSynchronize();\n";

class SessionProgram : public tests::SourceProgramTest {
 protected:
  SessionProgram() {
    Paths paths;
    paths.program = tests::lanescope_program();
    paths.project = tests::source_dir();
    paths.assets = tests::source_dir() / "assets";
    paths.cache = folder_ / "cache/ptx";
    paths.config = folder_ / "config";
    offer_programs(options_, paths);
  }
  /// The program of kSet with these further statements.
  Result<pipeline::ProgramOutcome> run(const std::string& statements,
                                       const std::vector<std::string>& arguments = {},
                                       std::stop_token stop = {}) const {
    const fs::path source = folder_ / "set.cu";
    std::ofstream(source) << kSet << statements << "\n}\n";
    return options_.run_program(
        {.source = source, .arguments = arguments, .include_directories = {}, .device = "h200"}, stop);
  }
  /// Folders of runs that are kept.
  size_t runs() const {
    std::error_code ignored;
    const fs::directory_iterator entries(folder_ / "cache/runs", ignored);
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
  }

  tests::TemporaryFolder folder_{"session-program"};
  pipeline::Options options_;
};

TEST_F(SessionProgram, has_its_launches_and_what_it_printed) {
  EXPECT_EQ(options_.own_programs, folder_ / "config/programs.toml");
  const auto outcome = run("  std::printf(\"%d words, %s\\n\", count, words[1]);", {"a b"});
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_THAT(outcome->output, HasSubstr("2 words, a b\n"));
  EXPECT_EQ(outcome->problem, "");
  const auto kept = pipeline::read_program_run(outcome->folder);
  ASSERT_TRUE(kept) << describe(kept.error());
  ASSERT_EQ(kept->launches.size(), 1u);
  EXPECT_EQ(kept->launches[0].kernel, "set");
  EXPECT_FALSE(kept->launches[0].inputs.empty()) << "an edit runs on them";
  EXPECT_EQ(runs(), 1u);
}

TEST_F(SessionProgram, that_ends_with_another_status_or_crashes_says_so_and_has_its_launches) {
  const auto three = run("  return 3;");
  ASSERT_TRUE(three) << describe(three.error());
  EXPECT_EQ(three->problem, "the program set.cu ended with status 3");
  EXPECT_EQ(pipeline::read_program_run(three->folder)->launches.size(), 1u);
  const auto crashed = run("  std::abort();");
  ASSERT_TRUE(crashed) << describe(crashed.error());
  EXPECT_THAT(crashed->problem, HasSubstr("it aborted"));
}

TEST_F(SessionProgram, that_does_not_compile_is_an_error_with_the_compiler_s_words_and_leaves_no_run) {
  const auto wrong = run("  none();");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::Compile);
  EXPECT_THAT(wrong.error().message, HasSubstr("identifier \"none\" is undefined"));
  EXPECT_EQ(runs(), 0u);
}

TEST_F(SessionProgram, that_is_cancelled_ends_and_leaves_no_run) {
  std::stop_source stop;
  const fs::path started = folder_ / "started";
  // Its host code never ends.
  const std::jthread person([&] {
    while (!fs::exists(started) && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    stop.request_stop();
  });
  const auto outcome =
      run("  std::fclose(std::fopen(words[1], \"w\"));\n  for (;;) {}", {started.string()}, stop.get_token());
  stop.request_stop();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(runs(), 0u);
}

}  // namespace
}  // namespace lanescope::shell
