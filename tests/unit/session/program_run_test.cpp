// A kept run in the session: its list, its first launch, its sources, and how it grows while the program
// runs.

#include "pipeline/program_run.h"

#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/shown_once.h"
#include "support/temporary_folder.h"
#include "trace/trace_part.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string launch_json(int number, const std::string& file) {
  return R"({"number": )" + std::to_string(number) +
         R"(, "kernel": "transpose_tiled", "grid": [4, 2, 1], "block": [32, 8, 1], "emulated_seconds": 0.5,
         "sectors": 80, "ideal_sectors": 10, "wavefronts": 4, "ideal_wavefronts": 4, "findings": ["a race"])" +
         (file.empty() ? "" : R"(, "file": ")" + file + "\"") + "}";
}

class ProgramRunTest : public testing::Test {
 protected:
  void write(const std::string& launches, const std::string& more = "") const {
    std::ofstream(folder_ / "run.json")
        << R"({"lanescope_run": 1, "command": ["python", "x.py"], "device": "A100", "launches": [)"
        << launches << "]" << more << "}";
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }
  /// A session that reads the tiled transpose's trace from any file.
  void start() {
    pipeline::Options options = tests::project_options(1);
    options.read_trace = [this](const std::filesystem::path&,
                                const trace::WantedBlocks&) -> Result<trace::TracePart> {
      return trace::TracePart{*trace_, {}};
    };
    session_ = std::make_unique<Session>(options);
    trace_ = *after(OpenLesson{"transpose"})->run->trace;
  }

  tests::TemporaryFolder folder_{"program-run"};
  std::optional<trace::Trace> trace_;
  std::unique_ptr<Session> session_;
};

TEST_F(ProgramRunTest, is_read_with_files_of_its_folder_alone) {
  write(launch_json(0, "0000-a.lane") + "," + launch_json(1, "../secret.lane") + "," + launch_json(2, ""),
        R"(, "status": 3, "sources": {"x.py": "text"})");
  const auto run = pipeline::read_program_run(folder_.path());
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(run->command[1], "x.py");
  EXPECT_EQ(run->status, 3);
  ASSERT_THAT(run->launches, SizeIs(3));
  EXPECT_EQ(run->launches[0].grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(run->launches[0].file, folder_ / "0000-a.lane");
  EXPECT_TRUE(run->launches[1].file.empty());
  EXPECT_EQ(run->launches[0].findings[0], "a race");
  EXPECT_EQ(run->sources.at("x.py"), "text");
}

TEST_F(ProgramRunTest, a_sampled_launch_says_how_many_blocks_ran) {
  std::string sampled = launch_json(1, "0001-a.lane");
  sampled.back() = ',';
  write(launch_json(0, "") + "," + sampled +
        R"("sampled": {"blocks": 3, "of": 8}, "incomplete_inputs": true})");
  const auto run = pipeline::read_program_run(folder_.path());
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_EQ(run->launches[0].sampled_blocks, 0u);
  EXPECT_FALSE(run->launches[0].has_incomplete_inputs);
  EXPECT_EQ(run->launches[1].sampled_blocks, 3u);
  EXPECT_TRUE(run->launches[1].has_incomplete_inputs);
}

TEST_F(ProgramRunTest, a_captured_launch_says_how_its_memory_compares_with_the_gpu_s) {
  std::string captured = launch_json(1, "0001-a.lane");
  captured.back() = ',';
  write(launch_json(0, "") + "," + captured +
        R"("measured_seconds": 1e-5, "memory_after": {"equal": false, "sentences": ["1 of 3 elements"]}})");
  const auto run = pipeline::read_program_run(folder_.path());
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_FALSE(run->launches[0].is_equal_to_gpu);
  EXPECT_EQ(run->launches[1].is_equal_to_gpu, false);
  EXPECT_EQ(run->launches[1].comparison, std::vector<std::string>{"1 of 3 elements"});
  EXPECT_EQ(run->launches[1].measured_seconds, 1e-5);
}

TEST_F(ProgramRunTest, the_costliest_launch_ran_to_its_end_and_was_kept) {
  const auto of = [](uint64_t sectors, uint64_t wavefronts, uint64_t requests, const char* file,
                     const char* error) {
    pipeline::ProgramLaunch launch;
    launch.sectors = sectors;
    launch.ideal_sectors = 10;
    launch.wavefronts = wavefronts;
    launch.ideal_wavefronts = 10;
    launch.requests = requests;
    launch.file = file;
    launch.error = error;
    return launch;
  };
  pipeline::ProgramRun run;
  EXPECT_EQ(pipeline::costliest_launch(run), nullptr);
  run.launches = {of(99, 99, 1, "", ""),        // not kept
                  of(99, 99, 1, "a", "fault"),  // did not end
                  of(13, 10, 1, "b", ""),       // 3 sectors of 32 bytes
                  of(10, 11, 1, "c", ""),       // a wavefront of 128 bytes
                  of(14, 10, 2, "d", ""),       // as many bytes, more requests
                  of(5, 5, 9, "e", "")};        // better than ideal
  const auto name = [&](const auto&... is_meant) {
    const pipeline::ProgramLaunch* found = pipeline::costliest_launch(run, is_meant...);
    return found == nullptr ? std::string("none") : found->file.string();
  };
  EXPECT_EQ(name(), "d");
  EXPECT_EQ(name([](const auto& launch) { return launch.file < "d"; }), "c");
  run.launches[4].sampled_blocks = 8;  // its counts are of a part
  EXPECT_EQ(name(), "c");
  run.launches[3].has_incomplete_inputs = true;
  EXPECT_EQ(name(), "b");
  EXPECT_EQ(name([](const auto& launch) { return launch.file < "b"; }), "a");
  EXPECT_EQ(name([](const auto&) { return false; }), "none");
}

TEST_F(ProgramRunTest, other_files_are_errors) {
  EXPECT_FALSE(pipeline::read_program_run(folder_.path()));
  for (const char* text : {"", "[]", "{}", R"({"lanescope_run": 2})", R"({"lanescope_run": 1, "command": 5})",
                           R"({"lanescope_run": 1, "command": [], "device": "", "launches": [{}]})"}) {
    std::ofstream(folder_ / "run.json") << text;
    const auto run = pipeline::read_program_run(folder_.path());
    ASSERT_FALSE(run) << text;
    EXPECT_EQ(run.error().kind, ErrorKind::Syntax) << text;
  }
}

TEST_F(ProgramRunTest, its_folder_opens_the_first_launch_that_was_kept) {
  start();
  std::ofstream(folder_ / "0001-a.lane") << "the reader of the test does not look at it";
  write(launch_json(0, "") + "," + launch_json(1, "0001-a.lane"));
  const auto now = after(OpenFile{folder_.path()});
  ASSERT_FALSE(now->error) << describe(*now->error);
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->choices.file->path.filename(), "0001-a.lane");
  ASSERT_NE(now->program, nullptr);
  EXPECT_THAT(now->program->launches, SizeIs(2));
  EXPECT_EQ(after(OpenLesson{"transpose"})->program, nullptr);
}

TEST_F(ProgramRunTest, a_source_that_came_along_is_shown_with_its_costs) {
  start();
  const std::string source = trace_->sites.front().source.file;
  std::ofstream(folder_ / "0000-a.lane") << "x";
  std::string text;
  for (int line = 0; line < 60; ++line) text += "line\\n";
  write(launch_json(0, "0000-a.lane"), R"(, "sources": {")" + source + R"(": ")" + text + "\"}");
  const auto now = after(OpenFile{folder_.path()});
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->run->source_name, source);
  EXPECT_THAT(now->run->source_text, HasSubstr("line\nline"));
  const auto line = static_cast<size_t>(trace_->sites.front().source.line);
  EXPECT_GT(now->run->lines.at(line - 1).global.requests + now->run->lines.at(line - 1).shared.requests, 0u);
}

TEST_F(ProgramRunTest, the_list_grows_while_the_program_runs_and_the_first_launch_appears) {
  start();
  write("");
  const auto before = after(OpenFile{folder_.path()});
  ASSERT_NE(before->program, nullptr);
  EXPECT_EQ(before->run, nullptr);
  EXPECT_FALSE(before->error) << describe(*before->error);
  std::ofstream(folder_ / "0000-a.lane") << "x";
  write(launch_json(0, "0000-a.lane"));
  const auto shown = tests::once(*session_, [](const Snapshot& now) { return now.run != nullptr; });
  ASSERT_NE(shown->run, nullptr);
  const uint64_t run = shown->run_generation;
  write(launch_json(0, "0000-a.lane") + "," + launch_json(1, ""), R"(, "status": 0)");
  const auto grown =
      tests::once(*session_, [](const Snapshot& now) { return now.program->launches.size() == 2; });
  EXPECT_THAT(grown->program->launches, SizeIs(2));
  EXPECT_EQ(grown->program->status, 0);
  EXPECT_EQ(grown->run_generation, run) << "what is shown stays";
}

}  // namespace
}  // namespace lanescope::session
