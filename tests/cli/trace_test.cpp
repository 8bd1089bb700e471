// `lanescope trace`: the JSON contract, the lessons against an H200's counters, files of the user's, and bad
// input.

#include "support/program.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class Trace : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lanescope_trace_test." + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

const char* const kAdd = R"(
extern "C" __global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + 1.0f;
}
)";

/// Sums over the whole grid for n = 1024, block 32 x 8. Recorded: NVIDIA H200, driver 580.159.04, CUDA 13.0,
/// ncu, 2026-11-20: l1tex__t_requests and l1tex__t_sectors of global loads and stores,
/// memory_l1_wavefronts_shared from addresses for both shared directions together.
struct Counters {
  const char* kernel;
  uint64_t load_sectors, store_sectors, shared_wavefronts, ideal_shared_wavefronts;
};

void PrintTo(const Counters& counters, std::ostream* out) { *out << counters.kernel; }

class H200 : public testing::TestWithParam<Counters> {};

TEST_P(H200, counters_equal_the_emulated_counts) {
  const Counters& counters = GetParam();
  const Finished done = run_program(
      {"trace", "--lesson", "transpose", "--set", std::string("kernel=") + counters.kernel, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json totals = Json::parse(done.output)["totals"];
  EXPECT_EQ(totals["global_load"]["requests"], 32768);
  EXPECT_EQ(totals["global_store"]["requests"], 32768);
  EXPECT_EQ(totals["global_load"]["sectors"], counters.load_sectors);
  EXPECT_EQ(totals["global_store"]["sectors"], counters.store_sectors);
  const auto both = [&](const char* what) {
    return totals["shared_load"][what].get<uint64_t>() + totals["shared_store"][what].get<uint64_t>();
  };
  EXPECT_EQ(both("wavefronts"), counters.shared_wavefronts);
  EXPECT_EQ(both("ideal_wavefronts"), counters.ideal_shared_wavefronts);
}

INSTANTIATE_TEST_SUITE_P(transposes, H200,
                         testing::Values(Counters{"copy", 131072, 131072, 0, 0},
                                         Counters{"naive", 131072, 1048576, 0, 0},
                                         Counters{"tiled", 131072, 131072, 1081344, 65536},
                                         Counters{"padded", 131072, 131072, 65536, 65536},
                                         Counters{"diagonal", 131072, 131072, 65536, 65536}),
                         [](const auto& given) { return std::string(given.param.kernel); });

TEST_F(Trace, the_report_has_every_key_of_the_contract) {
  const Finished done = run_program({"trace", "--lesson", "transpose", "--set", "size=128", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  for (const char* key : {"lanescope", "kernel", "file", "arch", "producer", "device", "launch", "totals",
                          "sites", "instructions", "hazards", "dropped", "seconds"})
    EXPECT_TRUE(report.contains(key)) << key;
  EXPECT_EQ(report["producer"], "emulator");
  EXPECT_EQ(report["device"], "h200");
  EXPECT_EQ(report["launch"]["grid"], Json({4, 4, 1}));
  EXPECT_EQ(report["launch"]["block"], Json({32, 8, 1}));
  for (const char* name :
       {"global_load", "global_store", "global_atomic", "global_reduction", "local_load", "local_store"})
    for (const char* key : {"requests", "lanes", "bytes", "sectors", "ideal_sectors", "lines"})
      EXPECT_TRUE(report["totals"][name].contains(key)) << name << " " << key;
  for (const char* name : {"shared_load", "shared_store", "shared_atomic"})
    for (const char* key : {"requests", "lanes", "bytes", "wavefronts", "ideal_wavefronts"})
      EXPECT_TRUE(report["totals"][name].contains(key)) << name << " " << key;
  ASSERT_EQ(report["sites"].size(), 16u);
  EXPECT_EQ(report["sites"][0]["text"], "const Element element = in[(y + j) * width + x];");
  EXPECT_EQ(report["sites"][0]["space"], "global");
  EXPECT_EQ(report["sites"][0]["kind"], "load");
}

TEST_F(Trace, a_kernel_with_the_name_of_a_mangled_type_keeps_its_own) {
  const std::string two = file("letters.cu",
                               "extern \"C\" __global__ void f(float* a) { a[threadIdx.x] = 1; }\n"
                               "extern \"C\" __global__ void i(float* a) { a[threadIdx.x] = 2; }\n");
  const Finished done =
      run_program({"trace", two, "--kernel", "i", "--block", "32", "--arg", "a=f32[32]:zeros", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(Json::parse(done.output)["kernel"], "i");
  const Finished by_type =
      run_program({"trace", two, "--kernel", "float", "--block", "32", "--arg", "a=f32[32]:zeros"});
  EXPECT_EQ(by_type.status, 2);
  EXPECT_NE(by_type.error.find("the file has: f, i"), std::string::npos) << by_type.error;
}

TEST_F(Trace, the_history_of_a_warp_says_what_each_instruction_changed) {
  const std::string kernel = file("add.cu", kAdd);
  const std::vector<std::string> words{"trace", kernel,    "--grid",        "4",     "--block",
                                       "64",    "--arg",   "f32[256]:iota", "--arg", "f32[256]:zeros",
                                       "--arg", "i32:250", "--history",     "3,0:1"};
  const Finished text = run_program(words);
  ASSERT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.output.find("warp 1 of block 3, 0, 0"), std::string::npos) << text.output;
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const Finished done = run_program(as_json);
  ASSERT_EQ(done.status, 0) << done.error;
  const Json history = Json::parse(done.output)["history"];
  EXPECT_EQ(history["block"], Json({3, 0, 0}));
  EXPECT_EQ(history["warp"], 1);
  // The last warp loads in 26 lanes: threads 224 to 249.
  for (const Json& entry : history["instructions"]) {
    if (!entry["ptx"].get<std::string>().starts_with("ld.global")) continue;
    EXPECT_EQ(entry["lanes"], "0x03ffffff");
    EXPECT_EQ(entry["changes"][0]["after"].size(), 26u);
  }
  std::vector<std::string> wrong = words;
  wrong.back() = "3,0";
  EXPECT_EQ(run_program(wrong).status, 2);
  wrong.back() = "3,0:2";
  EXPECT_EQ(run_program(wrong).status, 2);
  wrong.back() = "4,0:0";
  EXPECT_EQ(run_program(wrong).status, 2);
}

TEST_F(Trace, a_file_of_the_users_runs_and_its_buffers_can_be_dumped) {
  const std::string out = (folder_ / "b.bin").string();
  const Finished done =
      run_program({"trace", file("add.cu", kAdd), "--grid", "4", "--block", "64", "--arg", "a=f32[256]:iota",
                   "--arg", "b=f32[256]:zeros", "--arg", "i32:250", "--dump", "1=" + out, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["kernel"], "add");
  // 250 of 256 threads: eight warps have requests, the last with 26 lanes.
  EXPECT_EQ(report["totals"]["global_load"]["requests"], 8);
  EXPECT_EQ(report["totals"]["global_load"]["lanes"], 250);
  EXPECT_EQ(report["totals"]["global_load"]["sectors"], 7 * 4 + 4);
  EXPECT_EQ(report["sites"][0]["line"], 4);
  std::ifstream stream(out, std::ios::binary);
  std::vector<float> values(256);
  stream.read(reinterpret_cast<char*>(values.data()), 1024);
  ASSERT_TRUE(stream);
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[249], 250.0f);
  EXPECT_EQ(values[250], 0.0f);
}

TEST_F(Trace, the_report_can_go_to_a_file) {
  const std::string out = (folder_ / "report.json").string();
  const Finished done = run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--json", out});
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "");
  std::ifstream stream(out);
  EXPECT_EQ(Json::parse(stream)["kernel"], "transpose_tiled");
}

TEST_F(Trace, threads_do_not_change_the_report) {
  const auto report = [&](const char* threads) {
    Json json = Json::parse(run_program({"trace", "--lesson", "transpose", "--set", "size=500x300",
                                         "--threads", threads, "--json"})
                                .output);
    json.erase("seconds");
    return json;
  };
  EXPECT_EQ(report("1"), report("2"));
}

TEST_F(Trace, the_reference_engine_reports_the_same) {
  const std::vector<std::string> usual{"trace", "--lesson", "transpose", "--set", "size=128", "--json"};
  std::vector<std::string> reference = usual;
  reference.insert(reference.end(), {"--engine", "reference"});
  const Finished fast = run_program(usual), slow = run_program(reference);
  ASSERT_EQ(slow.status, 0) << slow.error;
  Json of_fast = Json::parse(fast.output), of_slow = Json::parse(slow.output);
  for (Json* const report : {&of_fast, &of_slow}) report->erase("seconds");
  EXPECT_EQ(of_fast, of_slow);
  reference.back() = "fastest";
  EXPECT_EQ(run_program(reference).status, 2);
  EXPECT_EQ(
      run_program({"trace", "--lesson", "transpose", "--producer", "gpu", "--engine", "reference"}).status,
      2);
}

TEST_F(Trace, an_out_of_bounds_access_names_line_block_and_thread_and_exits_with_one) {
  const Finished done =
      run_program({"trace", file("add.cu", kAdd), "--grid", "4", "--block", "64", "--arg", "a=f32[250]:iota",
                   "--arg", "b=f32[256]:zeros", "--arg", "i32:256", "--json"});
  EXPECT_EQ(done.status, 1);
  const Json report = Json::parse(done.output);
  ASSERT_EQ(report["hazards"].size(), 1u);
  EXPECT_EQ(report["hazards"][0]["kind"], "out_of_bounds");
  EXPECT_EQ(report["hazards"][0]["line"], 4);
  EXPECT_EQ(report["hazards"][0]["block"], Json({3, 0, 0}));
  EXPECT_EQ(report["hazards"][0]["thread"], Json({58, 0, 0}));
  EXPECT_NE(done.error.find("add.cu:4: "), std::string::npos) << done.error;
}

TEST_F(Trace, a_race_names_both_lines_and_threads_and_the_checks_can_be_switched_off) {
  constexpr const char* kRace = R"(__global__ void turn(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
)";
  const std::vector<std::string> arguments{"trace", file("turn.cu", kRace), "--block", "64",
                                           "--arg", "out=f32[64]:none",     "--json"};
  const Finished done = run_program(arguments);
  EXPECT_EQ(done.status, 1);
  const Json report = Json::parse(done.output);
  ASSERT_EQ(report["hazards"].size(), 1u);
  const Json& race = report["hazards"][0];
  EXPECT_EQ(race["kind"], "race");
  EXPECT_EQ(race["line"], 4);
  EXPECT_EQ(race["thread"], Json({0, 0, 0}));
  EXPECT_EQ(race["other"]["line"], 3);
  EXPECT_EQ(race["other"]["thread"], Json({63, 0, 0}));
  EXPECT_EQ(race["count"], 64);
  EXPECT_EQ(report["notes"], Json::array());
  EXPECT_NE(
      done.error.find(
          "turn.cu:4: thread (0,0,0) of block (0,0,0) reads tile[63], byte 252 of 'tile' in shared memory"),
      std::string::npos)
      << done.error;

  std::vector<std::string> without = arguments;
  without.insert(without.end(), {"--checks", "none"});
  const Finished unchecked = run_program(without);
  EXPECT_EQ(unchecked.status, 0) << unchecked.error;
  EXPECT_EQ(Json::parse(unchecked.output)["hazards"], Json::array());
}

TEST_F(Trace, kernel_output_comes_before_the_report_or_in_it) {
  constexpr const char* kPrint = R"(#include <stdio.h>
__global__ void hello() { printf("block %d thread %d: %5.2f\n", blockIdx.x, threadIdx.x, threadIdx.x / 4.0); }
)";
  const std::vector<std::string> arguments{"trace", file("hello.cu", kPrint), "--grid", "2", "--block", "2"};
  const std::string expected =
      "block 0 thread 0:  0.00\nblock 0 thread 1:  0.25\nblock 1 thread 0:  0.00\nblock 1 thread 1:  0.25\n";
  const Finished table = run_program(arguments);
  EXPECT_EQ(table.status, 0) << table.error;
  EXPECT_TRUE(table.output.starts_with(expected)) << table.output;
  std::vector<std::string> with_report = arguments;
  with_report.push_back("--json");
  EXPECT_EQ(Json::parse(run_program(with_report).output)["output"], expected);
}

TEST_F(Trace, a_lock_between_lanes_is_a_deadlock_only_in_lockstep) {
  constexpr const char* kLock = R"(__global__ void count(int* lock, volatile int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *sum = *sum + 1;
  __threadfence();
  atomicExch(lock, 0);
}
)";
  const auto arguments = [&](const char* scheduling) {
    return std::vector<std::string>{
        "trace", file("lock.cu", kLock), "--block",  "32",   "--arg",        "lock=i32[1]:zeros",
        "--arg", "sum=i32[1]:zeros",     "--checks", "none", "--scheduling", scheduling,
        "--json"};
  };
  EXPECT_EQ(run_program(arguments("independent")).status, 0);
  const Finished done = run_program(arguments("lockstep"));
  EXPECT_EQ(done.status, 1);
  const Json report = Json::parse(done.output);
  ASSERT_EQ(report["hazards"].size(), 1u);
  EXPECT_EQ(report["hazards"][0]["kind"], "deadlock");
  EXPECT_EQ(report["hazards"][0]["line"], 2);
  EXPECT_EQ(run_program(arguments("sideways")).status, 2);
}

TEST_F(Trace, an_uninitialized_read_of_a_buffer_is_a_hazard) {
  const Finished done =
      run_program({"trace", file("add.cu", kAdd), "--grid", "4", "--block", "64", "--arg", "a=f32[256]:none",
                   "--arg", "b=f32[256]:none", "--arg", "i32:256", "--json"});
  EXPECT_EQ(done.status, 1);
  const Json report = Json::parse(done.output);
  ASSERT_GE(report["hazards"].size(), 1u);
  EXPECT_EQ(report["hazards"][0]["kind"], "uninitialized");
  EXPECT_EQ(report["hazards"][0]["line"], 4);
}

/// A bad command line or input: its status and a word that the error must contain.
struct Bad {
  const char* name;
  std::vector<std::string> arguments;
  int status;
  const char* word;
};
/// The name of the case in CTest.
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

class BadInput : public Trace, public testing::WithParamInterface<Bad> {};

TEST_P(BadInput, is_one_clear_sentence_on_standard_error) {
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    if (argument == "ADD.cu") argument = file("add.cu", kAdd);
    if (argument == "EMPTY.cu") argument = file("empty.cu", " \n");
    if (argument == "TEXT.cu") argument = file("text.cu", "Dear student,\n");
    if (argument == "BROKEN.cu")
      argument = file("broken.cu", "__global__ void f(int* p) {\n  *p = nonsense;\n}\n");
    if (argument == "BINARY.cu") argument = file("binary.cu", std::string("\0\1\2", 3));
    if (argument == "BAD.ptx")
      argument = file("bad.ptx",
                      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry "
                      "f()\n{\n\tfrobnicate.b32 %r1;\n\tret;\n}\n");
  }
  const Finished done = run_program(arguments);
  EXPECT_EQ(done.status, GetParam().status) << done.error;
  EXPECT_NE(done.error.find(GetParam().word), std::string::npos) << done.error;
  EXPECT_EQ(done.output, "");
}

const std::vector<std::string> kFits{"--arg", "f32[8]:zeros", "--arg", "f32[8]:zeros", "--arg", "i32:8"};

std::vector<std::string> with_arguments(std::vector<std::string> words) {
  words.insert(words.end(), kFits.begin(), kFits.end());
  return words;
}

INSTANTIATE_TEST_SUITE_P(
    all, BadInput,
    testing::Values(
        Bad{"missing_file", {"trace", "/nowhere/a.cu", "--block", "32"}, 1, "no such file"},
        Bad{"folder", {"trace", "/tmp", "--block", "32"}, 1, "folder"},
        Bad{"empty_file", {"trace", "EMPTY.cu", "--block", "32"}, 1, "empty"},
        Bad{"binary_file", {"trace", "BINARY.cu", "--block", "32"}, 1, "not text"},
        Bad{"no_cuda", {"trace", "TEXT.cu", "--block", "32"}, 1, "__global__"},
        Bad{"does_not_compile",
            {"trace", "BROKEN.cu", "--block", "32", "--arg", "i32[4]:zeros"},
            1,
            "broken.cu(2): error"},
        Bad{"unknown_instruction", {"trace", "BAD.ptx", "--block", "32"}, 1, "frobnicate"},
        Bad{"unknown_kernel", with_arguments({"trace", "ADD.cu", "--block", "32", "--kernel", "sub"}), 2,
            "add"},
        Bad{"missing_argument", {"trace", "ADD.cu", "--block", "32", "--arg", "f32[8]:zeros"}, 2, "'b'"},
        Bad{"too_many_arguments", with_arguments({"trace", "ADD.cu", "--block", "32", "--arg", "i32:1"}), 2,
            "3 arguments"},
        Bad{"wrong_argument", {"trace", "ADD.cu", "--block", "32", "--arg", "f33[8]:zeros"}, 2, "f33"},
        Bad{"grid_of_zero", with_arguments({"trace", "ADD.cu", "--block", "32", "--grid", "0"}), 2, "0"},
        Bad{"block_too_large", with_arguments({"trace", "ADD.cu", "--block", "2048"}), 2, "1024"},
        Bad{"nothing", {"trace"}, 2, "--lesson"},
        Bad{"too_many_threads", {"trace", "--lesson", "transpose", "--threads", "1025"}, 2, "1 to 1024"},
        Bad{"no_threads", {"trace", "--lesson", "transpose", "--threads", "0"}, 2, "1 to 1024"},
        Bad{"limit_below_zero", {"trace", "--lesson", "transpose", "--limit-steps", "-3"}, 2, "-3"},
        Bad{"shared_below_zero", with_arguments({"trace", "ADD.cu", "--block", "32", "--shared", "-1"}), 2,
            "-1"},
        Bad{"unknown_option", {"trace", "--frobnicate"}, 2, "--frobnicate"},
        Bad{"unknown_verb", {"frobnicate"}, 2, "frobnicate"},
        Bad{"unknown_lesson", {"trace", "--lesson", "cooking"}, 2, "transpose"},
        Bad{"unknown_toggle", {"trace", "--lesson", "transpose", "--set", "colour=red"}, 2, "padding"},
        Bad{"unknown_value", {"trace", "--lesson", "transpose", "--set", "padding=7"}, 2, "0, 1, 2, 3, 4"},
        Bad{"no_value", {"trace", "--lesson", "transpose", "--set", "padding"}, 2, "TOGGLE=VALUE"},
        Bad{"unknown_device", {"trace", "--lesson", "transpose", "--device", "abacus"}, 2, "gt200"},
        Bad{"unknown_producer", {"trace", "--lesson", "transpose", "--producer", "abacus"}, 2, "emulator"},
        Bad{"lesson_and_grid", {"trace", "--lesson", "transpose", "--grid", "2"}, 2, "--set"},
        Bad{"unwritable_report",
            {"trace", "--lesson", "transpose", "--set", "size=32", "--json", "/nowhere/r.json"},
            1,
            "/nowhere"},
        Bad{"unknown_figure",
            {"plot", "--lesson", "transpose", "--figure", "pie", "-o", "/tmp/x.svg"},
            2,
            "banks"},
        Bad{"unknown_format",
            {"plot", "--lesson", "transpose", "--figure", "banks", "-o", "/tmp/x.doc"},
            2,
            "svg"},
        Bad{"unknown_warp",
            {"plot", "--lesson", "transpose", "--figure", "banks", "--warp", "8", "-o", "/tmp/x.svg"},
            2,
            "8 warps"},
        Bad{"unknown_wave",
            {"plot", "--lesson", "transpose", "--figure", "blocks", "--wave", "999", "-o", "/tmp/x.svg"},
            2,
            "waves, counted from 0"},
        Bad{"unwritable_figure",
            {"plot", "--lesson", "transpose", "--set", "size=32", "--figure", "banks", "-o",
             "/nowhere/x.svg"},
            1,
            "/nowhere"}),
    [](const auto& given) { return std::string(given.param.name); });

TEST_F(Trace, a_kernel_that_does_not_end_is_stopped_by_the_limit) {
  const Finished done = run_program(
      {"trace", file("loop.cu", "__global__ void f(volatile int* p) { for (;;) p[threadIdx.x] += 1; }\n"),
       "--block", "32", "--arg", "i32[32]:zeros", "--limit-steps", "10000"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.error.find("10000"), std::string::npos) << done.error;
}

TEST_F(Trace, a_wait_that_no_thread_ends_is_a_deadlock_with_its_line) {
  const Finished done =
      run_program({"trace", file("wait.cu", "__global__ void f(volatile int* p) { while (*p == 0) {} }\n"),
                   "--block", "32", "--arg", "i32[1]:zeros"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.error.find("wait.cu:1: "), std::string::npos) << done.error;
  EXPECT_NE(done.error.find("deadlock"), std::string::npos) << done.error;
}

/// 1024 x 1024 floats: 32,768 warp accesses each way, two half-warps each; a half-warp's store is 16
/// transactions of 32 bytes in the naive kernel. Source: CUDA C Programming Guide 4.2, F.3.2.2.
TEST_F(Trace, the_table_has_the_units_of_an_old_device) {
  const Finished old = run_program(
      {"trace", "--lesson", "transpose", "--set", "kernel=naive", "--set", "size=64", "--device", "gt200"});
  EXPECT_EQ(old.status, 0) << old.error;
  // 64 x 64 floats, by half-warps: a read of 16 neighbors is a segment of 64 bytes, a write 16 segments
  // of 32.
  EXPECT_THAT(old.output, AllOf(HasSubstr("by the rules of GeForce GTX 280 (GT200) (modelled)"),
                                ContainsRegex("global load +256 +256 +16,384 +16,384"),
                                ContainsRegex("global store +256 +4,096 +131,072 +16,384")));
  EXPECT_THAT(run_program({"trace", "--lesson", "transpose", "--set", "size=64"}).output,
              Not(HasSubstr("by the rules of")));
}

TEST_F(Trace, on_a_gtx_280_reports_half_warps_and_transactions) {
  const Finished done =
      run_program({"trace", "--lesson", "transpose", "--set", "kernel=naive", "--device", "gt200", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json counts = Json::parse(done.output)["device_counts"];
  EXPECT_EQ(counts["unit"], "half-warp");
  EXPECT_EQ(counts["blocks"], 1024);
  EXPECT_EQ(counts["global_load"]["requests"], 65536);
  EXPECT_EQ(counts["global_load"]["transactions"], 65536);
  EXPECT_EQ(counts["global_load"]["efficiency"], 1);
  EXPECT_EQ(counts["global_store"]["transactions"], 1048576);
  EXPECT_EQ(counts["global_store"]["bytes_moved"], 1048576 * 32);
  EXPECT_EQ(counts["global_store"]["efficiency"], 0.125);
}

}  // namespace
}  // namespace lanescope
