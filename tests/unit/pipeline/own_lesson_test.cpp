// A lesson of a teacher's own, by the path of its folder: a strided copy, checked against a reference kernel
// with one thread in all. The program has no code for it.

#include "lesson/launch_plan.h"
#include "pipeline/execution.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

constexpr const char* kLesson = R"toml(title = "Strided copy"
size = "n"

[launch]
grid = ["ceil_div(n, 128)"]
block = [128]
arguments = ["in", "out", "i32: n"]
buffers = [
  {name = "in", type = "f32", shape = ["n * stride"], contents = "count"},
  {name = "out", type = "f32", shape = ["n"], contents = "none"},
]

[[kernels]]
name = "gather"
file = "strided.cu"
entry = "gather"
toggles = ["stride", "n"]
label = "Gather"
expect = {reference = "one_thread", buffer = "out"}

[[kernels]]
name = "wrong"
file = "strided.cu"
entry = "wrong"
toggles = ["stride", "n"]
label = "Off by one"
expect = {reference = "one_thread", buffer = "out"}

[[references]]
name = "one_thread"
file = "strided.cu"
entry = "one_thread"
toggles = ["stride", "n"]
launch = {grid = [1], block = [1]}

[[toggles]]
name = "stride"
key = "S"
define = "STRIDE"
initial = "1"
label = "Stride"
hint = "Elements between two that neighboring lanes read"
choices = [{value = "1"}, {value = "2"}, {value = "8"}]

[[toggles]]
name = "n"
initial = "1000"
free = {kind = "number", minimum = 1, maximum = 1048576}
label = "Elements"
hint = "How many are copied"
choices = [{value = "1000"}, {value = "4096"}]
)toml";

constexpr const char* kKernels = R"(#ifndef STRIDE
#define STRIDE 1
#endif
extern "C" __global__ void gather(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * STRIDE];
}
extern "C" __global__ void wrong(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + 1) % n * STRIDE];
}
extern "C" __global__ void one_thread(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i * STRIDE];
}
)";

class OwnLesson : public testing::Test {
 protected:
  OwnLesson() {
    options_.cache = folder_ / "cache";
    std::filesystem::create_directories(folder_ / "strided");
    std::ofstream(folder_ / "strided/lesson.toml") << kLesson;
    std::ofstream(folder_ / "strided/strided.cu") << kKernels;
    lesson_ = lesson::find_lesson(options_.assets / "lessons", (folder_ / "strided").string()).value();
  }
  Result<std::shared_ptr<const pipeline::Run>> run(
      const std::vector<std::pair<std::string, std::string>>& toggles,
      const launch::Launch* previous = nullptr) {
    lesson::Settings settings = lesson::initial_settings(lesson_);
    for (const auto& [name, value] : toggles)
      settings = lesson::with_toggle(lesson_, settings, name, value).value();
    TRY(const Job job, job_of(lesson_, settings, options_, previous));
    return execution_.run(job, device_, {});
  }

  const tests::TemporaryFolder folder_{"own-lesson"};
  Options options_ = tests::project_options();
  lesson::Lesson lesson_;
  model::Device device_ = model::find_device(options_.assets / "devices", "h200").value();
  Execution execution_{options_};
};

TEST_F(OwnLesson, runs_by_its_path_and_matches_its_reference) {
  for (const auto& [stride, sectors] : {std::pair{"1", 4u}, std::pair{"2", 8u}, std::pair{"8", 32u}}) {
    const auto done = run({{"stride", stride}, {"n", "1024"}});
    if (!done && done.error().kind == ErrorKind::File) GTEST_SKIP() << done.error().message;
    ASSERT_TRUE(done) << describe(done.error());
    EXPECT_EQ((*done)->output_correct, true) << stride;
    EXPECT_TRUE((*done)->trace->hazards.empty());
    const trace::Totals& loads = (*done)->trace->totals.front();
    EXPECT_EQ(loads.sectors, uint64_t{sectors} * loads.requests) << stride;
  }
}

TEST_F(OwnLesson, an_output_that_differs_from_the_reference_is_wrong) {
  const auto done = run({{"kernel", "wrong"}});
  if (!done && done.error().kind == ErrorKind::File) GTEST_SKIP() << done.error().message;
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ((*done)->output_correct, false);
  EXPECT_EQ((*run({{"kernel", "gather"}}))->output_correct, true);
}

TEST_F(OwnLesson, a_compiler_is_fetched_when_one_is_first_needed) {
  const tests::TemporaryFolder fetched{"fetched"};
  const std::filesystem::path real = options_.fetched / "cuda";
  if (!std::filesystem::exists(real)) GTEST_SKIP() << "there is no NVRTC";
  options_.fetched = fetched.path();
  options_.cache.clear();
  if (compile::find_compiler(options_.fetched)) GTEST_SKIP() << "another compiler is installed";
  int times = 0;
  options_.fetch_compiler = [&](const std::stop_token&) {
    ++times;
    std::filesystem::create_directory_symlink(real, fetched / "cuda");
  };
  Execution execution(options_);
  const auto run = [&](const char* stride) {
    const auto settings =
        lesson::with_toggle(lesson_, lesson::initial_settings(lesson_), "stride", stride).value();
    return execution.run(job_of(lesson_, settings, options_).value(), device_, {}).has_value();
  };
  const auto flipped = lesson::with_toggle(lesson_, lesson::initial_settings(lesson_), "stride", "8").value();
  const auto text = text_job_of(lesson_, flipped, options_).value();
  EXPECT_FALSE(execution.compiler().compile(text, {.fetch = Fetch::Never}).has_value());
  EXPECT_EQ(times, 0);
  EXPECT_TRUE(run("8"));
  EXPECT_TRUE(run("2"));
  EXPECT_EQ(times, 1);
}

TEST_F(OwnLesson, without_a_compiler_the_error_names_the_toggle_and_the_remedy) {
  options_.fetched.clear();
  Execution alone(options_);
  const auto flipped = lesson::with_toggle(lesson_, lesson::initial_settings(lesson_), "stride", "8").value();
  const auto done = alone.run(job_of(lesson_, flipped, options_).value(), device_, {});
  if (done) GTEST_SKIP() << "another compiler is installed";
  EXPECT_EQ(done.error().kind, ErrorKind::File);
  EXPECT_NE(done.error().message.find("stride=8 must be compiled"), std::string::npos)
      << done.error().message;
  EXPECT_NE(done.error().message.find("app/run"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::pipeline
