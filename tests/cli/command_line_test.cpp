// What is said of a command line that cannot be followed, and with which exit status; what reaches the
// terminal.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tests::Finished;
using tests::run_program;

class CommandLine : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  static void expect_error(const std::vector<std::string>& words, int status, const std::string& sentence) {
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, status) << words.front() << ": " << done.error;
    EXPECT_NE(done.error.find(sentence), std::string::npos) << done.error;
  }

  tests::TemporaryFolder folder_{"command_line"};
};

constexpr const char* kSaxpy =
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

TEST_F(CommandLine, a_mistyped_word_is_answered_with_the_nearest) {
  expect_error({"trace", "a.cu", "--blok", "32"}, 2, "no option --blok of 'trace'; did you mean --block?");
  expect_error({"trace", "a.cu", "--gird=4", "--block", "32"}, 2,
               "no option --gird of 'trace'; did you mean --grid?");
  expect_error({"trase", "a.cu", "--block", "32"}, 2, "there is no verb 'trase'; did you mean trace?");
  expect_error({"trase"}, 2, "there is no verb 'trase'; did you mean trace?");
  expect_error({"missing.cu"}, 2, "missing.cu: there is no such file");
  expect_error({"trace", "a.cu", "--quite-another", "32"}, 2,
               "no option --quite-another of 'trace'; 'lanescope help trace' lists its options");
  expect_error({"trace", "a.cu", "b.cu", "--block", "32"}, 2,
               "the argument 'b.cu' of 'trace' was not expected");
}

TEST_F(CommandLine, pipes_folders_that_are_not_there_and_saved_traces_are_refused) {
  const std::string pipe = (folder_ / "pipe.cu").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_error({"trace", pipe, "--block", "32"}, 1, "this is a pipe; write what comes from it to a file");
  const std::string saxpy = file("saxpy.cu", kSaxpy);
  expect_error({"trace", saxpy, "-I", (folder_ / "missing").string(), "--block", "32"}, 2,
               "to search for headers; check -I");
  const std::string lane = file("saved.lane", "x");
  expect_error({"trace", lane, "--block", "32"}, 2, "is a saved trace; lanescope open " + lane + " shows it");
}

// SQLite would wait for the pipe's writer.
TEST_F(CommandLine, pipes_are_no_databases) {
  const std::string trace = (folder_ / "pipe.lane").string(), sweep = (folder_ / "pipe.sqlite").string();
  ASSERT_EQ(mkfifo(trace.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(sweep.c_str(), 0600), 0);
  const std::string picture = (folder_ / "p.svg").string(),
                    refusal = "this is a pipe; write what comes from it";
  expect_error({"plot", trace, "--figure", "sectors", "-o", picture}, 1, refusal);
  expect_error({"report", trace, "-o", (folder_ / "r.json").string()}, 1, refusal);
  expect_error({"plot", "--from", sweep, "--x", "size", "--y", "wavefronts", "-o", picture}, 1, refusal);
  expect_error({"merge", sweep, "-o", (folder_ / "all.sqlite").string()}, 1, refusal);
}

TEST_F(CommandLine, what_would_be_ignored_is_refused) {
  const std::string saxpy = file("saxpy.cu", kSaxpy);
  expect_error({"trace", saxpy, "--block", "32", "--save", ""}, 2, "--save takes the name of a file");
  expect_error({"plot", saxpy, "--figure", "published", "-o", (folder_ / "p.csv").string()}, 2,
               "'published' does not show a file of the user's");
}

/// What is wrong with the launch is wrong with the command line, even where only the kernel shows it.
TEST_F(CommandLine, a_launch_that_cannot_be_is_status_2) {
  const std::string saxpy = file("saxpy.cu", kSaxpy);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"trace", saxpy});
    return more;
  };
  expect_error(with({"--block", "0"}), 2, "--block: one to three whole numbers from 1");
  expect_error(with({"--block", "32", "--grid", "4,-1"}), 2, "--grid: one to three whole numbers from 1");
  expect_error(with({"--block", "32", "--then", "saxpy", "--grid", "x"}), 2, "--grid: one to three whole");
  expect_error(with({"--block", "2000"}), 2, "at most 1024 threads");
  expect_error(with({"--block", "32", "--shared", "999999999"}), 2, "dynamic shared memory");
  expect_error(with({"--block", "32", "--arg", "i32:4"}), 2, "kernel saxpy takes 4 arguments, 1 were given");
  expect_error(with({"--block", "32", "--kernel", "saxpi"}), 2, "there is no kernel 'saxpi'");
  expect_error({"trace", file("wrong.cu", "__global__ void f() { nonsense }\n"), "--block", "32"}, 1,
               "does not compile");
}

TEST_F(CommandLine, control_characters_of_a_source_do_not_reach_the_terminal) {
  const std::string painted =
      file("painted.cu", "__global__ void f(int* a) {\n  a[threadIdx.x] = 1;  // \033[31mred\033[0m\n}\n");
  const Finished done = run_program({"trace", painted, "--block", "32", "--arg", "i32[32]:zeros"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output.find('\033'), std::string::npos);
  EXPECT_NE(done.output.find("^[[31mred"), std::string::npos) << done.output;
  expect_error({"trace", (folder_ / "no\033[31m.cu").string(), "--block", "32"}, 1, "no^[[31m.cu");
}

/// NVRTC writes such names with escapes into the PTX.
TEST_F(CommandLine, files_may_have_any_name) {
  for (const char* name : {"r\303\251duction.cu", "a b.cu", "a\"b.cu", "a\\b.cu", "a\tb.cu", "a\nb.cu"}) {
    const Finished done =
        run_program({"trace", file(name, "__global__ void f(int* a) {\n  a[threadIdx.x] = 1;\n}\n"),
                     "--block", "32", "--arg", "i32[32]:zeros", "--json"});
    ASSERT_EQ(done.status, 0) << done.error;
    const Json site = Json::parse(done.output)["sites"][0];
    EXPECT_EQ(site["file"], (folder_ / name).string());
    EXPECT_EQ(site["line"], 2) << name;
    EXPECT_EQ(site["text"], "a[threadIdx.x] = 1;") << name;
  }
}

TEST_F(CommandLine, a_site_in_a_header_has_its_file_and_the_calls_that_lead_there) {
  file("tools.h",
       "#pragma once\n__device__ inline void put(float* p, int i, float v) {\n  p[i] = v;\n}\n"
       "__device__ inline void twice(float* p, int i) {\n  put(p, i, 2.0f);\n}\n");
  const std::vector<std::string> words{
      "trace",
      file("main.cu", "#include \"tools.h\"\n__global__ void f(float* a) {\n  twice(a, threadIdx.x);\n}\n"),
      "--block",
      "32",
      "--arg",
      "f32[32]:zeros"};
  std::vector<std::string> with_report = words;
  with_report.emplace_back("--json");
  const Finished done = run_program(with_report);
  ASSERT_EQ(done.status, 0) << done.error;
  const Json site = Json::parse(done.output)["sites"][0];
  EXPECT_EQ(fs::path(site["file"].get<std::string>()).filename(), "tools.h");
  EXPECT_EQ(site["line"], 3);
  EXPECT_EQ(site["text"], "p[i] = v;");
  ASSERT_EQ(site["called_from"].size(), 2u);
  EXPECT_EQ(site["called_from"][0]["line"], 6);
  EXPECT_EQ(site["called_from"][1]["line"], 3);
  EXPECT_EQ(site["called_from"][1]["file"], (folder_ / "main.cu").string());
  const Finished table = run_program(words);
  EXPECT_NE(table.output.find("twice(a, threadIdx.x); (in tools.h)"), std::string::npos) << table.output;
}

/// A cube map in one kernel; the message names the kernel and its line in the source, not in the PTX.
TEST_F(CommandLine, a_kernel_that_cannot_be_run_does_not_concern_the_others) {
  const std::string both =
      file("both.cu",
           "__global__ void shades(cudaTextureObject_t image, float* a) {\n"
           "  a[threadIdx.x] = tex2DGrad<float>(image, 1.0f, 2.0f, float2{}, float2{});\n}\n"
           "__global__ void plain(float* a) { a[threadIdx.x] = 1; }\n");
  const Finished done =
      run_program({"trace", both, "--kernel", "plain", "--block", "32", "--arg", "f32[32]:zeros", "--json"});
  EXPECT_EQ(done.status, 0) << done.error;
  expect_error(
      {"trace", both, "--kernel", "shades", "--block", "32", "--arg", "u64:0", "--arg", "f32[32]:zeros"}, 1,
      "both.cu:2: kernel shades cannot be run: the instruction 'tex.");
}

/// A multiprocessor of a GTX 280 has 16 KB of shared memory, in which three arrays of 5 KB have room: 30
/// multiprocessors, 90 blocks. As clang does, the file declares the arrays of all kernels at its top.
TEST_F(CommandLine, shared_memory_of_other_kernels_does_not_count) {
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
  for (const char* name : {"one", "two", "three"})
    text += std::string(".shared .align 4 .b8 tile_of_") + name + "[5120];\n";
  for (const char* name : {"one", "two", "three"})
    text += std::string(".visible .entry ") + name +
            "(.param .u64 a) { .reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [a];\n"
            "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
            "ld.global.u32 %r2, [%rd1];\nst.shared.u32 [tile_of_" +
            name + "], %r2;\nst.global.u32 [%rd1], %r2;\nret; }\n";
  const Finished done =
      run_program({"model", file("three.ptx", text), "--kernel", "two", "--device", "gt200", "--grid", "300",
                   "--block", "32", "--arg", "f32[32]:zeros", "--checks", "none", "--json"});
  ASSERT_NE(done.output, "") << done.error;
  EXPECT_EQ(Json::parse(done.output)["blocks_in_flight"], 90);
}

TEST_F(CommandLine, an_instance_of_a_template_is_chosen_by_its_arguments) {
  const std::string scale =
      file("scale.cu", "template <class T, int n> __global__ void scale(T* a) { a[threadIdx.x] *= n; }\n");
  const Finished done =
      run_program({"trace", scale, "--kernel", "scale<float,3>", "--block", "32", "--arg",
                   "a=f32[32]:fill(2)", "--dump", "0=" + (folder_ / "out").string(), "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(Json::parse(done.output)["kernel"], "scale<float, 3>");
  std::ifstream written(folder_ / "out", std::ios::binary);
  float first = 0;
  written.read(reinterpret_cast<char*>(&first), sizeof first);
  EXPECT_EQ(first, 6.0f);
  expect_error({"trace", scale, "--block", "32"}, 1, "--kernel 'scale<float, 32>'");
}

TEST_F(CommandLine, options_of_the_compiler_can_be_given) {
  const std::string modern =
      file("modern.cu",
           "template <class T> requires (sizeof(T) == 4) __device__ T twice(T x) { return x + x; }\n"
           "__global__ void f(float* a) { a[threadIdx.x] = twice(sinf(a[threadIdx.x])); }\n");
  const std::vector<std::string> words{"trace", modern, "--block", "32", "--arg", "f32[32]:zeros"};
  EXPECT_EQ(run_program(words).status, 1);
  std::vector<std::string> with_standard = words;
  with_standard.insert(with_standard.end(),
                       {"--std", "c++20", "-X", "--use_fast_math", "--nvrtc", "--fmad=false"});
  const Finished done = run_program(with_standard);
  EXPECT_EQ(done.status, 0) << done.error;
  std::vector<std::string> wrong = words;
  wrong.insert(wrong.end(), {"-X", "--no-such-option"});
  expect_error(wrong, 2, "no-such-option");
}

TEST_F(CommandLine, a_cluster_whose_size_is_not_known_is_mentioned) {
  constexpr const char* kBody =
      "e_rank(int* out) {\n  unsigned rank;\n  asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n"
      "  out[blockIdx.x] = rank;\n}\n";
  const auto traced = [&](const char* name, const std::string& head) {
    return run_program(
        {"trace", file(name, head + kBody), "--grid", "4", "--block", "1", "--arg", "i32[4]:zeros"});
  };
  const Finished unknown = traced("host.cu", "__global__ void ");
  EXPECT_EQ(unknown.status, 0) << unknown.error;
  EXPECT_NE(unknown.error.find("kernel e_rank asks for its cluster but declares no size"), std::string::npos)
      << unknown.error;
  EXPECT_EQ(traced("fixed.cu", "__global__ void __cluster_dims__(2, 1, 1) ").error, "");
}

/// Sums over 64 threads each: two warps communicate through shared memory of the system.
TEST_F(CommandLine, groups_of_several_warps_reduce) {
  const std::string sums = file("sums.cu",
                                "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
                                "namespace cg = cooperative_groups;\n__global__ void sums(int* out) {\n"
                                "  auto tile = cg::tiled_partition<64>(cg::this_thread_block());\n"
                                "  const int sum = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());\n"
                                "  tile.sync();\n  out[threadIdx.x] = sum + tile.shfl(sum, 40);\n}\n");
  const std::string out = (folder_ / "out").string();
  const Finished done =
      run_program({"trace", sums, "--block", "256", "--arg", "i32[256]:zeros", "--dump", "0=" + out});
  ASSERT_EQ(done.status, 0) << done.error;
  std::vector<int> results(256);
  std::ifstream(out, std::ios::binary).read(reinterpret_cast<char*>(results.data()), 256 * sizeof(int));
  for (int thread = 0; thread < 256; ++thread) {
    const int first = thread / 64 * 64;
    EXPECT_EQ(results[static_cast<size_t>(thread)], 2 * (64 * first + 63 * 64 / 2)) << thread;
  }
}

TEST_F(CommandLine, managed_variables_and_integers_of_128_bits_run) {
  const std::string wide =
      file("wide.cu",
           "__managed__ unsigned long long factor = 3;\n"
           "__global__ void f(unsigned long long* a) {\n"
           "  const unsigned __int128 product = (unsigned __int128)a[0] * factor;\n"
           "  a[1] = (unsigned long long)(product >> 64);\n  a[2] = (unsigned long long)product;\n}\n");
  const std::string out = (folder_ / "out").string();
  const Finished done = run_program(
      {"trace", wide, "--block", "1", "--arg", "u64[3]:fill(18446744073709551615)", "--dump", "0=" + out});
  ASSERT_EQ(done.status, 0) << done.error;
  std::vector<uint64_t> results(3);
  std::ifstream(out, std::ios::binary).read(reinterpret_cast<char*>(results.data()), 3 * sizeof(uint64_t));
  EXPECT_EQ(results[1], 2u) << "3 x (2^64 - 1) = 2 x 2^64 + (2^64 - 3)";
  EXPECT_EQ(results[2], 18446744073709551613u);
}

/// The texel halfway between 0 and 1, written to a surface of which each of 32 lanes has one.
TEST_F(CommandLine, a_kernel_reads_a_texture_and_writes_a_surface) {
  const std::string source = file("image.cu",
                                  "__global__ void f(cudaTextureObject_t in, cudaSurfaceObject_t out) {\n"
                                  "  const float x = tex2D<float>(in, 1.0f, threadIdx.x + 0.5f);\n"
                                  "  surf1Dwrite(x, out, threadIdx.x * 4);\n}\n");
  const std::string out = (folder_ / "out.raw").string();
  const Finished done =
      run_program({"trace", source, "--block", "32", "--arg", "texture(f32[32x2]:iota, linear)", "--arg",
                   "s=surface(f32[32]:zeros)", "--dump", "s=" + out, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["totals"]["texture_load"], Json({{"requests", 1}, {"lanes", 32}}));
  EXPECT_EQ(report["totals"]["surface_store"], Json({{"requests", 1}, {"lanes", 32}, {"bytes", 128}}));
  EXPECT_EQ(report["sites"][0]["line"], 2) << "not one of the compiler's header";
  EXPECT_FALSE(report["sites"][0].contains("sectors"));
  EXPECT_EQ(report["unchecked"].size(), 1u);
  std::vector<float> values(32);
  std::ifstream(out, std::ios::binary).read(reinterpret_cast<char*>(values.data()), 32 * sizeof(float));
  for (size_t n = 0; n < values.size(); ++n) EXPECT_EQ(values[n], 2.0f * static_cast<float>(n) + 0.5f) << n;
  expect_error({"trace", source, "--block", "32", "--arg", "u64:7", "--arg", "surface(f32[32]:zeros)"}, 1,
               "image.cu:2");
}

TEST_F(CommandLine, kernels_are_listed_with_their_parameters_and_what_cannot_be_run) {
  const std::string both =
      file("both.cu",
           "__global__ void shades(cudaTextureObject_t image, float* a) {\n"
           "  a[threadIdx.x] = tex2DGrad<float>(image, 1.0f, 2.0f, float2{}, float2{});\n}\n"
           "__global__ void plain(const float* a, int n) { __shared__ float tile[256];\n"
           "  tile[threadIdx.x] = a[n]; if (tile[n] == 3) __trap(); }\n");
  const Finished done = run_program({"kernels", both, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json kernels = Json::parse(done.output)["kernels"];
  ASSERT_EQ(kernels.size(), 2u);
  const bool plain_is_first = kernels[0]["name"] == "plain";
  const Json& plain = kernels[plain_is_first ? 0 : 1];
  const Json& shades = kernels[plain_is_first ? 1 : 0];
  EXPECT_EQ(plain["parameters"][0]["type"], "const float*");
  EXPECT_EQ(plain["parameters"][1]["name"], "n");
  EXPECT_EQ(plain["parameters"][1]["size_bytes"], 4);
  EXPECT_EQ(plain["static_shared_bytes"], 1024);
  EXPECT_TRUE(plain["refused"].is_null());
  EXPECT_NE(shades["refused"].get<std::string>().find("both.cu:2: kernel shades cannot be run"),
            std::string::npos);
  const Finished table = run_program({"kernels", both});
  EXPECT_NE(table.output.find("plain(const float* a, int n)  1024 bytes of shared memory\n"),
            std::string::npos)
      << table.output;
  expect_error({"kernels"}, 2, "give a file");
  expect_error({"kernels", file("none.cu", "__device__ int f() { return 1; }  // no __global__\n")}, 1,
               "neither the file nor a header of it has a __global__ function");
}

}  // namespace
}  // namespace lanescope
