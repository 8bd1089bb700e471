// `--host` with an `ssh` that starts a server on this machine: a trace through the pipe equals the
// emulator's, and every error at the other end is one sentence.

#include "support/program.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

/// During its lifetime `ssh` is a server that behaves according to `how` (support/fake_gpu_server.cpp).
class FakeSsh {
 public:
  explicit FakeSsh(const std::string& how)
      : folder_(fs::temp_directory_path() / fmt::format("lanescope_ssh.{}", getpid())),
        path_(std::getenv("PATH")) {  // NOLINT(concurrency-mt-unsafe): one thread
    fs::create_directories(folder_);
    std::ofstream(folder_ / "ssh") << fmt::format("#!/bin/sh\nexec '{}' {}\n", tests::fake_gpu_server(), how);
    fs::permissions(folder_ / "ssh", fs::perms::owner_all);
    setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
  }
  FakeSsh(const FakeSsh&) = delete;
  FakeSsh& operator=(const FakeSsh&) = delete;
  ~FakeSsh() {
    setenv("PATH", path_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

 private:
  fs::path folder_;
  std::string path_;
};

std::vector<std::string> trace_of(const std::string& kernel, const std::vector<std::string>& more) {
  std::vector<std::string> words{"trace", "--lesson", "transpose", "--set", "kernel=" + kernel,
                                 "--set", "size=64"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Remote, a_check_of_times_runs_on_the_gpu) {
  const FakeSsh ssh("emulator");  // its kernels take 2 to 42 microseconds
  const tests::TemporaryFolder folder("remote-check");
  const fs::path exercise = folder / "lesson/exercises/timed";
  fs::create_directories(exercise);
  fs::copy(tests::source_dir() / "assets/lessons/transpose/exercises/tiled", exercise,
           fs::copy_options::recursive);
  std::ofstream(exercise / "exercise.toml", std::ios::app) << "microseconds = 30\ncopy_share = 0.9\n";
  const std::string solution = (exercise / "solution.cu").string();
  const Finished without = run_program({"check", exercise.string(), solution});
  EXPECT_EQ(without.status, 0) << without.error;
  EXPECT_THAT(without.output, HasSubstr("not run  microseconds  needs a GPU\n"));
  const Finished with = run_program({"check", exercise.string(), solution, "--host", "student@lab"});
  EXPECT_EQ(with.status, 1) << with.error;
  EXPECT_THAT(with.output, HasSubstr("ok       microseconds  22 microseconds, the median of 21 runs"));
  EXPECT_THAT(with.output, HasSubstr("FAIL     copy_share    19 % of the speed of a copy"));
  const Finished all =
      run_program({"check", exercise.string(), "--all", exercise.string(), "--host", "student@lab"});
  EXPECT_THAT(all.output, testing::ContainsRegex("solution.cu  ok +ok +ok +ok +ok +FAIL"));
}

TEST(Remote, a_trace_through_the_pipe_is_the_emulators) {
  const FakeSsh ssh("emulator");
  for (const char* kernel : {"copy", "naive", "tiled", "padded", "diagonal"}) {
    const Finished near = run_program(trace_of(kernel, {"--producer", "emulator", "--json"}));
    const Finished far = run_program(trace_of(kernel, {"--host", "me@lab", "--json"}));
    ASSERT_EQ(near.status, 0) << near.error;
    ASSERT_EQ(far.status, 0) << far.error;
    const Json expected = Json::parse(near.output), found = Json::parse(far.output);
    EXPECT_EQ(found["producer"], "gpu");
    EXPECT_EQ(found["totals"], expected["totals"]) << kernel;
    EXPECT_EQ(found["sites"], expected["sites"]) << kernel;
    EXPECT_EQ(found["dropped"], 0);
  }
}

std::vector<std::string> time_of(const std::vector<std::string>& more) {
  std::vector<std::string> words = trace_of("copy", {"--host", "me@lab", "--repetitions", "3"});
  words.front() = "time";
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The fake GPU takes 2, 4, 6 us for two buffers and a picosecond for each byte of a copy, and counts a
/// request for each byte of the first buffer: 64 x 64 x 4.
TEST(Remote, times_and_counts_come_back_as_json) {
  const FakeSsh ssh("serve");
  const Finished done = run_program(time_of({"--json"}));
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["gpu"], "Fake");
  const Json& kernel = report["kernels"].at(0);
  EXPECT_EQ(kernel["provenance"], "measured");
  EXPECT_NEAR(kernel["seconds"]["minimum"].get<double>(), 2e-6, 1e-12);
  EXPECT_NEAR(kernel["seconds"]["median"].get<double>(), 4e-6, 1e-12);
  EXPECT_EQ(kernel["useful_bytes"], 32768);
  EXPECT_NEAR(kernel["gb_per_second"].get<double>(), 8.192, 1e-6);
  EXPECT_NEAR(kernel["percent_of_copy"].get<double>(), 100 * 16384e-12 / 4e-6, 1e-6);
  EXPECT_EQ(kernel["counters"]["global_load_requests"], 16384);
}

TEST(Remote, times_are_a_table_with_a_line_for_each_kernel) {
  const FakeSsh ssh("serve");
  const Finished done = run_program(time_of({}));
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("Fake"));
  EXPECT_THAT(done.output, HasSubstr("measured, 3 repetitions"));
  EXPECT_THAT(done.output, testing::ContainsRegex("copy +4.00 +2.00"));
}

TEST(Remote, without_permission_for_counters_only_times_are_reported) {
  const FakeSsh ssh("uncounted");
  const Finished done = run_program(time_of({}));
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::ContainsRegex("copy +4.00 +2.00"));
  EXPECT_THAT(done.output + done.error, HasSubstr("ERR_NVGPUCTRPERM"));
}

TEST(Remote, an_unwritable_recording_file_fails_before_measuring) {
  for (const char* verb : {"record", "slices"}) {
    const Finished done = run_program({verb, "-o", "/nowhere/r.json"});
    EXPECT_EQ(done.status, 1) << verb;
    EXPECT_THAT(done.error, HasSubstr("'/nowhere/r.json' cannot be written")) << verb;
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
}

TEST(Remote, a_recording_has_its_times_even_if_counting_fails) {
  const FakeSsh ssh("miscounting");
  const tests::TemporaryFolder folder("record");
  const Finished done =
      run_program({"record", "--host", "me@lab", "--lesson", "transpose", "--sizes", "32", "--count-sizes",
                   "32", "--repetitions", "3", "-o", (folder / "r.json").string()});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("the counters stopped halfway"));
  std::ifstream stream(folder / "r.json");
  const Json recording = Json::parse(stream, nullptr, false);
  ASSERT_FALSE(recording.is_discarded());
  EXPECT_EQ(recording["gpu"], "Fake");
}

struct Broken {
  const char* how;
  const char* word;  // what the sentence says
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.how; }

class BrokenRemote : public testing::TestWithParam<Broken> {};

TEST_P(BrokenRemote, is_one_sentence_and_status_1) {
  const FakeSsh ssh(GetParam().how);
  for (const char* verb : {"trace", "time"}) {
    std::vector<std::string> words = trace_of("copy", {"--host", "me@lab"});
    words.front() = verb;
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, 1) << verb;
    EXPECT_EQ(done.output, "") << verb;
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
    EXPECT_THAT(done.error, HasSubstr("me@lab")) << verb;
    EXPECT_THAT(done.error, HasSubstr(GetParam().word)) << verb;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenRemote,
                         testing::Values(Broken{"greeting", "lanescope --version"},
                                         Broken{"truncated", "lanescope --version"},
                                         Broken{"other_protocol", "same version"},
                                         Broken{"driverless", "on me@lab: no driver was found"},
                                         Broken{"dies", "the machine goes down now"}),
                         [](const auto& given) { return std::string(given.param.how); });

TEST(Remote, a_fault_on_the_gpu_is_one_sentence_and_status_1) {
  const FakeSsh ssh("emulator");
  const tests::TemporaryFolder folder("beyond");
  std::ofstream(folder / "beyond.ptx") << R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry beyond(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u64 [%rd1+4096], %rd1;
  ret;
})";
  const Finished done = run_program({"trace", (folder / "beyond.ptx").string(), "--block", "32", "--arg",
                                     "f32[64]:zeros", "--host", "me@lab"});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.error, "the kernel faulted\n");
}

TEST(Remote, a_trace_of_a_gpu_says_what_was_not_checked_and_not_counted) {
  const FakeSsh ssh("emulator");
  const Finished checked = run_program(trace_of("copy", {"--host", "me@lab", "--json"}));
  ASSERT_EQ(checked.status, 0) << checked.error;
  const Json report = Json::parse(checked.output);
  ASSERT_EQ(report["unchecked"].size(), 2u);
  EXPECT_THAT(report["unchecked"][0].get<std::string>(), HasSubstr("bounds and alignment"));
  EXPECT_THAT(report["unchecked"][1].get<std::string>(), HasSubstr("data races, uninitialized reads"));
  EXPECT_EQ(report["instructions"]["warp"], nullptr);
  EXPECT_EQ(report["instructions"]["lane"], nullptr);
  const Finished table = run_program(trace_of("copy", {"--host", "me@lab", "--checks", "none"}));
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.output, HasSubstr("(traced)"));
  EXPECT_THAT(table.error, HasSubstr("not checked: bounds and alignment"));
  EXPECT_THAT(table.error, testing::Not(HasSubstr("races"))) << "they were not wanted";
}

/// During its lifetime the programs that are started find the fake driver as libcuda.
class FakeLibcuda {
 public:
  FakeLibcuda() : folder_("driver") {
    fs::create_symlink(tests::fake_driver_library(), folder_ / "libcuda.so.1");
    const char* before = std::getenv("LD_LIBRARY_PATH");  // NOLINT(concurrency-mt-unsafe): one thread
    if (before != nullptr) kept_ = before;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    setenv("LD_LIBRARY_PATH", (folder_.path().string() + (kept_.empty() ? "" : ":" + kept_)).c_str(), 1);
  }
  FakeLibcuda(const FakeLibcuda&) = delete;
  FakeLibcuda& operator=(const FakeLibcuda&) = delete;
  ~FakeLibcuda() { setenv("LD_LIBRARY_PATH", kept_.c_str(), 1); }  // NOLINT(concurrency-mt-unsafe): as above

  /// A file in its folder with a kernel of one parameter, a buffer of words.
  std::string kernel(const std::string& name, const std::string& statements) const {
    std::ofstream(folder_ / (name + ".ptx")) << fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry {}(.param .u64 out) {{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
{}
  ret;
}})",
                                                            name, statements);
    return (folder_ / (name + ".ptx")).string();
  }

 private:
  tests::TemporaryFolder folder_;
  std::string kept_;
};

/// It writes beyond its buffer of one word, which only the emulator sees.
TEST(Producer, is_the_emulator_on_a_machine_with_a_gpu_too) {
  const FakeLibcuda gpu;
  const std::string file = gpu.kernel("overrun", "  st.global.u64 [%rd1+8], 1;");
  for (const std::vector<std::string>& producer :
       {std::vector<std::string>{}, {"--producer", "auto"}, {"--producer", "emulator"}}) {
    std::vector<std::string> words{"trace", file, "--block", "1", "--arg", "u64[1]:zeros", "--json"};
    words.insert(words.end(), producer.begin(), producer.end());
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, 1);
    const Json report = Json::parse(done.output);
    EXPECT_EQ(report["producer"], "emulator");
    EXPECT_EQ(report["hazards"].at(0)["kind"], "out_of_bounds");
  }
}

TEST(Producer, gpu_ends_a_kernel_that_does_not_end) {
  const FakeLibcuda gpu;
  const std::string file = gpu.kernel("endless", "  st.global.u64 [%rd1], 1;");
  for (const char* verb : {"trace", "time"}) {
    std::vector<std::string> words{verb,    file,           "--block",         "1",
                                   "--arg", "u64[1]:zeros", "--limit-seconds", "1"};
    if (verb == std::string_view("trace")) words.insert(words.end(), {"--producer", "gpu"});
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, 1) << verb;
    EXPECT_EQ(done.output, "") << verb;
    EXPECT_EQ(
        done.error,
        "kernel endless did not end within 1 s on the GPU and was stopped; raise --limit-seconds, or run "
        "it in the emulator, which tells where threads wait\n")
        << verb;
  }
}

struct Misplaced {
  const char* option;
  const char* value;
  const char* words;
};

TEST(Producer, gpu_refuses_the_emulators_options_and_the_emulator_the_gpus) {
  for (const Misplaced& each : {Misplaced{"--limit-steps", "1000", "--limit-seconds"},
                                Misplaced{"--scheduling", "lockstep", "by its own rules"},
                                Misplaced{"--threads", "2", "a GPU runs the kernel"},
                                Misplaced{"--checks", "all", "no check is made on a GPU"}}) {
    const Finished done = run_program(trace_of("copy", {"--producer", "gpu", each.option, each.value}));
    EXPECT_EQ(done.status, 2) << each.option;
    EXPECT_THAT(done.error, HasSubstr(each.option));
    EXPECT_THAT(done.error, HasSubstr(each.words));
  }
  const Finished done = run_program(trace_of("copy", {"--limit-seconds", "5"}));
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.error, HasSubstr("use --limit-steps"));
}

/// With the fake driver, which prints a line for a kernel of this name to the process's standard output, as
/// the driver does for printf.
TEST(Serve, kernel_output_does_not_mix_with_replies) {
  const FakeLibcuda gpu;
  const std::string file = gpu.kernel("prints", "  st.global.u64 [%rd1], 1;");
  const Finished done = run_program({"time", file, "--block", "1", "--arg", "u64[1]:zeros"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::ContainsRegex("prints +1000.00 +1000.00"));
  EXPECT_THAT(done.output, testing::Not(HasSubstr("hello")));
}

TEST(Remote, a_host_that_looks_like_an_option_is_a_usage_error) {
  const Finished done = run_program(trace_of("copy", {"--host=-oProxyCommand=true"}));
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.error, HasSubstr("user@machine"));
}

}  // namespace
}  // namespace lanescope
