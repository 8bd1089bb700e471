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
  const Finished done = run_program({"record", "--host", "me@lab", "--sizes", "32", "--count-sizes", "32",
                                     "--repetitions", "3", "-o", (folder / "r.json").string()});
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

TEST(Remote, a_fault_on_the_gpu_is_explained_by_the_emulator) {
  const FakeSsh ssh("emulator");
  const fs::path file = fs::temp_directory_path() / fmt::format("lanescope_beyond.{}.ptx", getpid());
  std::ofstream(file) << R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry beyond(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u64 [%rd1+4096], %rd1;
  ret;
})";
  const std::vector<std::string> words{"trace", file.string(),   "--block", "32",
                                       "--arg", "f32[64]:zeros", "--host",  "me@lab"};
  const Finished done = run_program(words);
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("not by the GPU: the kernel faulted"));
  EXPECT_THAT(done.error, HasSubstr(".ptx:7:"));
  std::vector<std::string> there = words;
  there.insert(there.end(), {"--producer", "gpu"});
  const Finished told = run_program(there);
  fs::remove(file);
  EXPECT_EQ(told.status, 1);
  EXPECT_EQ(told.error, "the kernel faulted\n");
}

/// With the fake driver, which prints a line for a kernel of this name to the process's standard output, as
/// the driver does for printf.
TEST(Serve, kernel_output_does_not_mix_with_replies) {
  const tests::TemporaryFolder folder("driver");
  fs::create_symlink(tests::fake_driver_library(), folder / "libcuda.so.1");
  std::ofstream(folder / "prints.ptx") << R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry prints(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  st.global.u64 [%rd1], 1;
  ret;
})";
  const char* before = std::getenv("LD_LIBRARY_PATH");  // NOLINT(concurrency-mt-unsafe): one thread
  const std::string kept = before == nullptr ? "" : before;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  setenv("LD_LIBRARY_PATH", (folder.path().string() + (kept.empty() ? "" : ":" + kept)).c_str(), 1);
  const Finished done =
      run_program({"time", (folder / "prints.ptx").string(), "--block", "1", "--arg", "u64[1]:zeros"});
  setenv("LD_LIBRARY_PATH", kept.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): as above
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
