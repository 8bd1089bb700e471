// A person's own file in the session: guessed launches, changes of them, kernels, sequences, edits on disk.

#include "session/opened_file.h"

#include "compile/compiler.h"
#include "session/failed_run.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/shown_once.h"
#include "support/temporary_folder.h"
#include "support/two_kernels.h"
#include "trace/traffic.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OpenedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_compiler(tests::project_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    start();
  }
  void start() {
    session_.reset();
    pipeline::Options options = tests::project_options(1);
    options.own_launches = folder_ / "launches";
    session_ = std::make_unique<Session>(options);
  }
  std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }
  static const pipeline::LaunchText& launch(const Snapshot& now) {
    return now.choices.file->launches.launches.front();
  }

  tests::TemporaryFolder folder_{"opened-file"};
  std::unique_ptr<Session> session_;
};

TEST_F(OpenedFileTest, a_file_runs_the_kernel_that_its_host_launches_first_with_a_guess) {
  after(OpenLesson{"transpose"});
  const auto now = after(OpenFile{write("two.cu", tests::kTwoKernels)});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.lesson, nullptr);
  ASSERT_NE(now->choices.file, nullptr);
  EXPECT_EQ(now->choices.file->kernels.size(), 2u);
  EXPECT_TRUE(now->choices.file->is_guess);
  EXPECT_EQ(now->run->kernel, "add");
  EXPECT_EQ(launch(*now).grid, "4");
  EXPECT_THAT(launch(*now).arguments,
              ElementsAre("x=f32[512]:iota", "y=f32[512]:iota", "a=f32:2", "n=i32:512"));
  EXPECT_EQ(trace::total_of(*now->run->trace, trace::Space::Global, trace::Traffic::Store).requests, 16u);
}

TEST_F(OpenedFileTest, a_lesson_comes_back_after_a_file) {
  after(OpenFile{write("two.cu", tests::kTwoKernels)});
  const auto now = after(OpenLesson{"transpose"});
  EXPECT_EQ(now->choices.file, nullptr);
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
}

TEST_F(OpenedFileTest, the_folder_of_a_lesson_opens_the_lesson) {
  const auto now = after(OpenFile{tests::kProject / "assets/lessons/transpose"});
  ASSERT_NE(now->choices.lesson, nullptr);
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
}

TEST_F(OpenedFileTest, a_file_that_is_none_changes_nothing) {
  after(OpenLesson{"transpose"});
  const auto now = after(OpenFile{folder_ / "missing.cu"});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("no such file"));
  EXPECT_EQ(now->choices.file, nullptr);
  EXPECT_NE(now->choices.lesson, nullptr);
}

TEST_F(OpenedFileTest, other_arguments_run_and_are_there_again_at_the_next_start) {
  const auto file = write("two.cu", tests::kTwoKernels);
  auto launches = after(OpenFile{file})->choices.file->launches;
  launches.launches[0].grid = "1";
  launches.launches[0].arguments[3] = "n=i32:64";
  auto now = after(SetLaunches{launches});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(trace::total_of(*now->run->trace, trace::Space::Global, trace::Traffic::Store).requests, 2u);
  start();
  now = after(OpenFile{file});
  EXPECT_FALSE(now->choices.file->is_guess);
  EXPECT_EQ(launch(*now).grid, "1");
  EXPECT_EQ(launch(*now).arguments[3], "n=i32:64");
}

TEST_F(OpenedFileTest, wrong_fields_are_named_and_the_run_stays) {
  auto launches = after(OpenFile{write("two.cu", tests::kTwoKernels)})->choices.file->launches;
  launches.launches[0].block = "0";
  launches.launches[0].arguments[2] = "a=f32:much";
  const auto now = after(SetLaunches{launches});
  ASSERT_TRUE(now->error);
  ASSERT_EQ(now->choices.file->problems.size(), 1u);
  EXPECT_THAT(now->choices.file->problems[0].block, HasSubstr("0"));
  EXPECT_THAT(now->choices.file->problems[0].arguments[2], HasSubstr("much"));
  EXPECT_THAT(now->choices.file->problems[0].arguments[3], IsEmpty());
  EXPECT_NE(now->failed, nullptr);
  ASSERT_NE(now->run, nullptr);
  EXPECT_EQ(now->run->kernel, "add");
}

TEST_F(OpenedFileTest, each_kernel_keeps_its_own_launch) {
  auto launches = after(OpenFile{write("two.cu", tests::kTwoKernels)})->choices.file->launches;
  launches.launches[0].grid = "2";
  after(SetLaunches{launches});
  auto now = after(SetToggle{"kernel", "twice"});
  EXPECT_EQ(now->run->kernel, "twice");
  EXPECT_EQ(launch(*now).grid, "4");
  now = after(SetToggle{"kernel", "add"});
  EXPECT_EQ(now->run->kernel, "add");
  EXPECT_EQ(launch(*now).grid, "2");
}

TEST_F(OpenedFileTest, the_launches_of_the_host_code_share_its_buffers) {
  after(OpenFile{write("two.cu", tests::kTwoKernels)});
  auto now = after(TakeHostLaunches{});
  ASSERT_FALSE(now->error) << describe(*now->error);
  ASSERT_EQ(now->runs.size(), 2u);
  EXPECT_EQ(now->run, now->runs[0]);
  EXPECT_EQ(now->run->kernel, "add");
  now = after(SelectLaunch{1});
  EXPECT_EQ(now->run->kernel, "twice");
  // y = 2 * iota + iota, doubled.
  const auto& y = *now->run->buffers[1];
  float third = 0;
  std::memcpy(&third, y.data() + 3 * sizeof(float), sizeof third);
  EXPECT_EQ(third, 18);
}

TEST_F(OpenedFileTest, a_launch_file_runs_in_order) {
  write("two.cu", tests::kTwoKernels);
  const auto file = write("two.toml", R"(file = "two.cu"
[buffers]
y = "f32[64]:iota"
[[launch]]
kernel = "twice"
block = 64
arguments = ["y", "n=i32:64"]
times = 3
[[launch]]
kernel = "add"
block = 64
arguments = ["y", "out=f32[64]:zeros", "a=f32:1", "n=i32:64"]
)");
  auto now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << describe(*now->error);
  ASSERT_EQ(now->runs.size(), 2u);
  EXPECT_EQ(now->run->kernel, "twice");
  now = after(SelectLaunch{1});
  EXPECT_EQ(now->run->kernel, "add");
  float last = 0;
  std::memcpy(&last, now->run->buffers[1]->data() + 63 * sizeof(float), sizeof last);
  EXPECT_EQ(last, 63 * 8);
}

TEST_F(OpenedFileTest, an_edit_of_the_file_compiles_and_runs_again) {
  const auto file = write("two.cu", tests::kTwoKernels);
  const auto first = after(OpenFile{file});
  std::string text = tests::kTwoKernels;
  text.replace(text.find("a * x[i]"), 8, "a * x[0]");
  write("two.cu", text);
  const auto now =
      tests::once(*session_, [&](const Snapshot& s) { return s.run_generation > first->run_generation; });
  EXPECT_THAT(now->run->source_text, HasSubstr("a * x[0]"));
  EXPECT_EQ(launch(*now).grid, "4");
}

TEST_F(OpenedFileTest, an_edit_of_a_header_counts) {
  write("factor.h", "#define FACTOR 2\n");
  const auto first = after(OpenFile{write("one.cu",
                                          "#include \"factor.h\"\n__global__ void f(float* x) { "
                                          "x[threadIdx.x] = FACTOR; }\n")});
  ASSERT_FALSE(first->error) << describe(*first->error);
  write("factor.h", "#define FACTOR (3 + 4)\n");
  const auto now =
      tests::once(*session_, [&](const Snapshot& s) { return s.run_generation > first->run_generation; });
  float value = 0;
  std::memcpy(&value, now->run->buffers[0]->data(), sizeof value);
  EXPECT_EQ(value, 7);
}

TEST_F(OpenedFileTest, a_file_that_does_not_compile_shows_its_text_and_its_errors_until_it_does) {
  auto now = after(OpenFile{write("wrong.cu", "__global__ void f(float* x) {\n  x[0] = missing;\n}\n")});
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->kind, ErrorKind::Compile);
  EXPECT_EQ(now->run, nullptr);
  ASSERT_NE(now->failed, nullptr);
  EXPECT_THAT(now->failed->source_text, HasSubstr("missing"));
  ASSERT_EQ(now->failed->errors.size(), 1u);
  EXPECT_EQ(now->failed->errors[0].line, 2);
  write("wrong.cu", "__global__ void f(float* x) {\n  x[threadIdx.x] = 1;\n}\n");
  now = tests::once(*session_, [](const Snapshot& s) { return s.run != nullptr; });
  ASSERT_NE(now->run, nullptr);
  EXPECT_FALSE(now->error);
  EXPECT_EQ(now->failed, nullptr);
  // A mistake again: the run before it stays, and is not said to be of this text.
  write("wrong.cu", "__global__ void f(float* x) {\n  x[threadIdx.x] = 1\n}\n");
  now = tests::once(*session_, [](const Snapshot& s) { return s.failed != nullptr; });
  ASSERT_NE(now->failed, nullptr);
  EXPECT_NE(now->run, nullptr);
  EXPECT_EQ(now->failed->errors[0].line, 3);
}

TEST_F(OpenedFileTest, another_parameter_gets_a_guess_and_grid_and_block_stay) {
  const auto file = write("one.cu", "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n");
  auto launches = after(OpenFile{file})->choices.file->launches;
  launches.launches[0].grid = "3";
  launches.launches[0].block = "32";
  const uint64_t before = after(SetLaunches{launches})->run_generation;
  write("one.cu", "__global__ void f(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n");
  const auto now = tests::once(*session_, [&](const Snapshot& s) { return s.run_generation > before; });
  EXPECT_EQ(launch(*now).grid, "3");
  EXPECT_THAT(launch(*now).arguments, ElementsAre("x=f32[96]:zeros", "n=i32:96"));
}

TEST_F(OpenedFileTest, a_file_opens_with_a_kernel_whose_launch_can_be_guessed) {
  const auto now = after(OpenFile{write("table.cu",
                                        "__global__ void table(float** p) { p[0][threadIdx.x] = 1; }\n"
                                        "__global__ void fill(float* x) { x[threadIdx.x] = 1; }\n")});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->run->kernel, "fill");
}

TEST_F(OpenedFileTest, overloads_are_chosen_by_their_parameters) {
  auto now = after(OpenFile{write("fill.cu",
                                  "__global__ void fill(int* x) { x[threadIdx.x] = 1; }\n"
                                  "__global__ void fill(float* x) { x[threadIdx.x] = 1; }\n")});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(launch(*now).kernel, "fill(int*)");
  now = after(SetToggle{"kernel", now->choices.file->kernels[1].entry});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(launch(*now).kernel, "fill(float*)");
  EXPECT_THAT(launch(*now).arguments, ElementsAre("x=f32[256]:zeros"));
}

TEST_F(OpenedFileTest, what_cannot_be_guessed_is_left_empty_and_named) {
  const auto now = after(OpenFile{write(
      "own.cu",
      "struct Own { float* a; };\n__global__ void f(float* x, Own own) { x[threadIdx.x] = *own.a; }\n")});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(launch(*now).arguments, ElementsAre("x=f32[256]:zeros", ""));
  ASSERT_EQ(now->choices.file->problems.size(), 1u);
  EXPECT_THAT(now->choices.file->problems[0].arguments[1], testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace lanescope::session
