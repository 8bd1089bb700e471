// What a lesson's toggles make of its kernels; files of the user's own as jobs, and which kernel of theirs is
// meant.

#include "pipeline/job.h"

#include "pipeline/execution.h"
#include "support/project.h"
#include "support/project_options.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;

class JobOfFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lanescope_job_test." + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<Job> job_of(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return job_of_file(folder_ / name);
  }
  static Error error_of(const Job& job) {
    Options options;
    options.fetched = tests::source_dir() / ".cache/third_party";
    options.threads = 1;
    Execution execution(options);
    const auto compiled = execution.compiler().compile(job);
    return compiled ? Error{.kind = ErrorKind::Internal, .message = "kernel " + (*compiled)->program.kernel}
                    : compiled.error();
  }

  fs::path folder_;
};

TEST_F(JobOfFile, headers_are_found_next_to_the_source) {
  EXPECT_EQ(job_of("a.cu", "__global__ void k() {}").value().options.include_directories,
            std::vector<fs::path>{folder_});
  // Without a folder in its name it is in the current one.
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const auto job = job_of_file("a.cu");
  fs::current_path(before);
  EXPECT_EQ(job.value().options.include_directories, std::vector<fs::path>{"."});
}

TEST_F(JobOfFile, a_byte_order_mark_is_removed) {
  EXPECT_EQ(job_of("a.cu", "\xef\xbb\xbf__global__ void k() {}").value().source.text,
            "__global__ void k() {}");
}

TEST_F(JobOfFile, a_kernel_may_come_from_a_header_or_a_macro) {
  EXPECT_TRUE(job_of("a.cu", "#include \"kernel.cuh\"\n"));
  EXPECT_TRUE(job_of("b.cu", "#define KERNEL __global__ void\nKERNEL k(int* o) { *o = 1; }\n"));
  const auto neither = job_of("c.cu", "int main() {}\n");
  ASSERT_FALSE(neither);
  EXPECT_NE(neither.error().message.find("no __global__ function"), std::string::npos);
}

TEST_F(JobOfFile, an_overload_is_chosen_by_its_name_in_the_ptx) {
  Job job = job_of("a.ptx",
                   ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry _Z1kPi() { ret; }\n"
                   ".visible .entry _Z1kPf() { ret; }\n.visible .entry other() { ret; }\n")
                .value();
  EXPECT_EQ(error_of(job).message,
            "the file has several kernels; choose one with --kernel: k(int*), k(float*), other");
  job.kernel = "k";
  EXPECT_EQ(error_of(job).message,
            "the file has several kernels 'k'; choose one with --kernel: k(int*), k(float*)");
  job.kernel = "_Z1kPf";
  EXPECT_EQ(error_of(job).message, "kernel _Z1kPf");
  job.kernel = "other";
  EXPECT_EQ(error_of(job).message, "kernel other");
}

TEST_F(JobOfFile, a_template_whose_arguments_the_text_does_not_show_is_named) {
  const Job job = job_of("t.cu",
                         "template <class T> __global__ void k(T* o) { *o = 1; }\n"
                         "int main() { k<<<1, 2>>>(pointer()); }\n")
                      .value();
  const Error error = error_of(job);
  if (error.kind == ErrorKind::File) GTEST_SKIP() << error.message;
  EXPECT_NE(error.message.find("--kernel 'k<float>'"), std::string::npos) << error.message;
}

TEST(Job, the_output_is_expected_as_the_toggles_launch_it) {
  const auto lesson = lesson::find_lesson(tests::kProject / "assets/lessons", "transpose").value();
  auto settings = lesson::with_toggle(lesson, lesson::initial_settings(lesson), "size", "96x64").value();
  settings = lesson::with_toggle(lesson, settings, "element", "8").value();
  settings = lesson::with_toggle(lesson, settings, "tile", "16").value();
  const Job job = job_of(lesson, settings, tests::project_options()).value();
  ASSERT_TRUE(job.expected);
  EXPECT_EQ(job.expected->rule, lesson::OutputRule::Transpose);
  EXPECT_EQ(job.expected->of, 0u);
  EXPECT_EQ(job.expected->buffer, 1u);
  EXPECT_EQ(job.launch->buffers[0].shape, (std::vector<uint64_t>{64, 96}));
  EXPECT_EQ(job.launch->buffers[0].type, launch::ElementType::F64);
  EXPECT_EQ(job.launch->block.x, 16u);
  EXPECT_EQ(job.flips, "tile=16, element=8");
}

}  // namespace
}  // namespace lanescope::pipeline
