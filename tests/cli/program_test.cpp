// A person's whole program, given as its source: compiled by nvcc and run as it is by `trace`, `run` and the
// verbs that draw. The first test of a machine without a toolkit fetches nvcc.

#include "support/program.h"

#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

/// A transpose of 64 x 64 floats through a tile without padding, and a copy; sizes by macro.
constexpr const char* kTranspose = R"cu(
#include <cstdio>
#include <cstdlib>
#include <vector>
#define SIDE 64
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * SIDE + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * SIDE + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void copy(const float* in, float* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[at];
}
int main(int count, char** words) {
  std::vector<float> host(SIDE * SIDE);
  for (int n = 0; n < SIDE * SIDE; ++n) host[n] = n;
  float *in, *out;
  cudaMalloc(&in, SIDE * SIDE * sizeof(float));
  cudaMalloc(&out, SIDE * SIDE * sizeof(float));
  cudaMemcpy(in, host.data(), SIDE * SIDE * sizeof(float), cudaMemcpyHostToDevice);
  copy<<<SIDE * SIDE / 256, 256>>>(in, out);
  transpose<<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  cudaMemcpy(host.data(), out, SIDE * SIDE * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s %g\n", count > 1 ? words[1] : "first", host[1]);
  return count > 1 ? std::atoi(words[1]) : 0;
}
)cu";

class Program : public tests::SourceProgramTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  tests::TemporaryFolder folder_{"program"};
};

TEST_F(Program, is_run_as_it_is_and_the_launch_that_wastes_most_is_shown) {
  const Finished done = run_program({"trace", write("transpose.cu", kTranspose)});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::StartsWith("first 64\n")) << "the program's own output comes first";
  EXPECT_THAT(done.output, HasSubstr("1       copy       1         16, 256"));
  EXPECT_THAT(done.output, HasSubstr("2       transpose  1         2x2, 32x32"));
  // 128 warps read a column of the tile, 32 wavefronts each.
  EXPECT_THAT(done.output, HasSubstr("launch 2, which wastes most: transpose  grid 2 x 2 x 1"));
  EXPECT_THAT(done.output, testing::ContainsRegex("13  shared load +128 +4,096  wavefronts +128"));
  EXPECT_THAT(done.error, HasSubstr("was run as the program that it is"));
}

TEST_F(Program, a_kernel_or_a_launch_can_be_chosen) {
  const std::string file = write("transpose.cu", kTranspose);
  EXPECT_THAT(run_program({"trace", file, "--kernel", "copy"}).output, HasSubstr("launch 1: copy"));
  EXPECT_THAT(run_program({"trace", file, "--launch", "1"}).output, HasSubstr("launch 1: copy"));
  const Finished missing = run_program({"trace", file, "--kernel", "move"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.error,
              HasSubstr("the program launches no kernel 'move'; it launches: copy, transpose"));
  EXPECT_EQ(run_program({"trace", file, "--launch", "3"}).status, 2);
}

TEST_F(Program, takes_its_arguments_after_two_dashes_alone) {
  const Finished done = run_program({"trace", write("transpose.cu", kTranspose), "64"});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.error,
              HasSubstr("'64' is no source file; the arguments of the program are given after --"));
}

TEST_F(Program, gets_its_arguments_and_its_own_status_is_told) {
  const Finished done = run_program({"trace", write("transpose.cu", kTranspose), "--", "3", "--json"});
  EXPECT_THAT(done.output, testing::StartsWith("3 64\n"));
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("transpose.cu ended with status 3"));
}

TEST_F(Program, a_launch_runs_again_with_what_it_was_given) {
  const std::string folder = folder_ / "kept";
  ASSERT_EQ(run_program({"run", "--save", folder, "--keep-inputs", write("transpose.cu", kTranspose)}).status,
            0);
  std::ifstream file(folder + "/run.json");
  const auto run = nlohmann::json::parse(file);
  for (const auto& launch : run["launches"]) {
    const std::string inputs = folder + "/" + launch["inputs"].get<std::string>();
    const Finished again = run_program({"trace", inputs, "--json"});
    ASSERT_EQ(again.status, 0) << again.error;
    const auto report = nlohmann::json::parse(again.output);
    for (const auto& [row, totals] : launch["totals"].items())
      EXPECT_EQ(report["totals"][row], totals) << launch["kernel"] << " " << row;
  }
  // The transpose reads what the copy wrote: 0, 64, 128, ...
  const Finished values = run_program({"trace", folder + "/0001-transpose.toml", "--show", "out[0:3]"});
  EXPECT_THAT(values.output, testing::ContainsRegex("0 +64 +128\n")) << values.error;
  EXPECT_EQ(run_program({"run", "--keep-inputs", folder_ / "transpose.cu"}).status, 2)
      << "no folder for them";
}

TEST_F(Program, what_is_uninitialized_in_parts_stays_so_in_a_launch_that_runs_again) {
  const std::string folder = folder_ / "kept";
  const std::string file =
      write("part.cu",
            "__global__ void copy(const float* in, float* out) {\n  out[threadIdx.x] = in[threadIdx.x];\n}\n"
            "int main() { float host[32] = {}, *in, *out; cudaMalloc(&in, 256); cudaMalloc(&out, 256);\n"
            "cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice); copy<<<1, 64>>>(in, out); }\n");
  const Finished first = run_program({"run", "--save", folder, "--keep-inputs", file});
  EXPECT_THAT(first.error, HasSubstr("part.cu:2: thread (32,0,0)"));
  const Finished again = run_program({"trace", folder + "/0000-copy.toml", "--json"});
  EXPECT_EQ(again.status, 1);
  const auto hazards = nlohmann::json::parse(again.output)["hazards"];
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0]["kind"], "uninitialized");
  EXPECT_EQ(hazards[0]["thread"], nlohmann::json::parse("[32, 0, 0]"));
}

TEST_F(Program, a_launch_that_asks_for_clusters_runs_again_with_them) {
  const std::string folder = folder_ / "kept";
  const std::string file =
      write("cluster.cu",
            "#include <cooperative_groups.h>\n"
            "__global__ void rank(unsigned* out) {\n"
            "  out[blockIdx.x] = cooperative_groups::this_cluster().num_blocks();\n}\n"
            "int main() { unsigned* out; cudaMalloc(&out, 16); cudaLaunchConfig_t config = {};\n"
            "config.gridDim = 4; config.blockDim = 1; cudaLaunchAttribute cluster[1];\n"
            "cluster[0].id = cudaLaunchAttributeClusterDimension;\n"
            "cluster[0].val.clusterDim = {2, 1, 1}; config.attrs = cluster; config.numAttrs = 1;\n"
            "cudaLaunchKernelEx(&config, rank, out); return cudaDeviceSynchronize(); }\n");
  const Finished first = run_program({"run", "--save", folder, "--keep-inputs", file});
  ASSERT_EQ(first.status, 0) << first.error;
  const Finished again = run_program({"trace", folder + "/0000-rank.toml", "--show", "out"});
  EXPECT_EQ(again.status, 0) << again.error;
  EXPECT_THAT(again.output, testing::ContainsRegex("2 +2 +2 +2"));
}

TEST_F(Program, a_figure_shows_what_a_saved_trace_has_not) {
  const std::string csv = folder_ / "values.csv";
  const Finished done = run_program(
      {"plot", write("transpose.cu", kTranspose), "--kernel", "transpose", "--figure", "values", "-o", csv});
  EXPECT_EQ(done.status, 0) << done.error;
  std::ifstream stream(csv);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(text, HasSubstr("4095")) << "the last element of both matrices";
}

TEST_F(Program, gets_empty_arguments_and_none) {
  const auto file = write("count.cu", R"cu(#include <cstdio>
__global__ void k() {}
int main(int count, char**) { std::printf("%d words\n", count); k<<<1, 1>>>(); }
)cu");
  EXPECT_THAT(run_program({"run", file, "--"}).output, testing::StartsWith("1 words\n"));
  EXPECT_THAT(run_program({"trace", file, "--"}).output, testing::StartsWith("1 words\n"));
  EXPECT_THAT(run_program({"trace", file, "--", "", "a b", ""}).output, testing::StartsWith("4 words\n"));
}

TEST_F(Program, as_json_has_all_launches_and_the_program_s_output_stays_out_of_it) {
  const Finished done = run_program({"trace", write("transpose.cu", kTranspose), "--json"});
  const auto json = nlohmann::json::parse(done.output);
  EXPECT_THAT(done.error, HasSubstr("first 64\n"));
  EXPECT_EQ(json["status"], 0);
  ASSERT_EQ(json["launches"].size(), 2u);
  EXPECT_EQ(json["launches"][1]["kernel"], "transpose");
  EXPECT_EQ(json["launches"][1]["totals"]["shared_load"]["wavefronts"], 4096);
  EXPECT_EQ(json["launches"][1]["totals"]["global_load"]["sectors"], 512);
}

TEST_F(Program, for_the_window_the_words_are_the_program_s_alone_and_the_run_is_kept) {
  write("include/side.h", "#define SIDE_OF_HEADER 64\n");
  const std::string file = write("transpose.cu", std::string("#include \"side.h\"\n") + kTranspose);
  const auto run = [&](const char* folder, const std::string& status) {
    return run_program({"run", "--json", "--save", folder_ / folder, "--device", "h200", "-I",
                        folder_ / "include", file, "--", status});
  };
  const Finished done = run("kept", "3");
  EXPECT_THAT(done.error, testing::EndsWith("3 64\n")) << "after how nvcc gets on, where that takes long";
  EXPECT_EQ(done.status, 3);
  EXPECT_TRUE(fs::exists(folder_ / "kept" / "run.json"));
  EXPECT_TRUE(fs::exists(folder_ / "kept" / "0001-transpose.lane"));
  write("include/side.h", "#error no side\n");
  const Finished refused = run("refused", "3");
  EXPECT_THAT(refused.error, HasSubstr("no side"));
  EXPECT_FALSE(fs::exists(folder_ / "refused" / "run.json")) << "tells that it was not compiled";
}

TEST_F(Program, is_compiled_once_and_again_after_a_header_changed) {
  const std::string file = write("main.cu",
                                 "#include \"size.h\"\n#include <cstdio>\n"
                                 "__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
                                 "int main() { int* p; cudaMalloc(&p, 4 * SIZE); set<<<1, SIZE>>>(p); "
                                 "std::printf(\"%d\\n\", SIZE); }\n");
  write("size.h", "#define SIZE 32\n");
  EXPECT_THAT(run_program({"trace", file}).output, testing::StartsWith("32\n"));
  EXPECT_THAT(run_program({"trace", file}).output, testing::StartsWith("32\n"));
  write("size.h", "#define SIZE 128\n");
  EXPECT_THAT(run_program({"trace", file}).output, testing::StartsWith("128\n"));
  EXPECT_THAT(run_program({"trace", file, "-D", "SIZE=5"}).error, HasSubstr(""))
      << "a macro makes another program";
}

TEST_F(Program, works_in_its_own_folder_with_a_name_that_has_spaces_and_quotes) {
  write("a b/data.txt", "17");
  const std::string file =
      write("a b/-it's.cu",
            "#include <cstdio>\n__global__ void k(int* p) { *p = 1; }\n"
            "int main(int, char** words) { int *p, n = 0; cudaMalloc(&p, 4); k<<<1, 1>>>(p);\n"
            "std::FILE* f = std::fopen(\"data.txt\", \"r\");\n"
            "if (f) std::fscanf(f, \"%d\", &n); std::printf(\"read %d by %s\\n\", n, words[0]); }\n");
  const Finished done = run_program({"trace", file});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::StartsWith("read 17 by " + (folder_ / "a b/-it's").string() + "\n"))
      << "as if it had been built there";
}

TEST_F(Program, with_a_name_that_a_shell_would_read_runs_and_is_told_by_its_name) {
  write("50$ `touch x` \"b\" \\c/size.h", "#define SIZE 16\n");
  for (const char* name : {"50$ `touch x` \"b\" \\c/mine.cu", "50$ `touch x` \"b\" \\c/d$\\e.cu"}) {
    const std::string file = write(name,
                                   "#include \"size.h\"\n"
                                   "__global__ void set(int* p) {\n  if (threadIdx.x == 0) p[0] = 1;\n"
                                   "  p[threadIdx.x + 1] = 1;\n}\n"
                                   "int main() { int* p; cudaMalloc(&p, SIZE * 4); set<<<1, 32>>>(p); }\n");
    const Finished done = run_program({"trace", file});
    EXPECT_EQ(done.status, 1) << done.error;
    EXPECT_THAT(done.error, HasSubstr(file + ":4: thread (15,0,0)"));
    EXPECT_THAT(done.output, HasSubstr("if (threadIdx.x == 0) p[0] = 1;")) << "the line is read";
    EXPECT_THAT(done.error + done.output, Not(HasSubstr("lanescope-links")));
  }
  const Finished wrong = run_program({"trace", write("wrong$.cu", "int main() { none(); }\n")});
  EXPECT_THAT(wrong.error, HasSubstr("wrong$.cu:1: error"));
  EXPECT_THAT(wrong.error, Not(HasSubstr("lanescope-links")));
  // No shell has run what stands in the name.
  EXPECT_FALSE(fs::exists("x"));
}

TEST_F(Program, of_several_files_is_compiled_from_all) {
  const std::string main = write("main.cu", "void start();\nint main() { start(); }\n");
  const std::string part = write("part.cu",
                                 "__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
                                 "void start() { int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); }\n");
  const Finished done = run_program({"trace", main, part});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("set     1         1, 32"));
}

TEST_F(Program, that_lacks_a_file_says_so_and_its_kernels_run_with_the_same_options) {
  const Finished done =
      run_program({"trace",
                   write("part.cu",
                         "int size();\n__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
                         "int main() { int* p; cudaMalloc(&p, 4 * size()); set<<<1, 32>>>(p); }\n"),
                   "--limit-seconds", "60"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error,
              HasSubstr("undefined reference to `size()'; give the program's other source files"));
  EXPECT_THAT(done.output, HasSubstr("set  grid 1"));
}

TEST_F(Program, that_lacks_a_file_names_the_one_that_has_it_and_finds_its_header) {
  write("include/part.h", "#define COUNT 32\nint size();\n");
  const std::string part = write("src/part.cu", "#include \"part.h\"\nint size() { return COUNT; }\n");
  const std::string main =
      write("main.cu",
            "#include \"part.h\"\n__global__ void set(int* p) { p[threadIdx.x % COUNT] = 1; }\n"
            "int main() { int* p; cudaMalloc(&p, 4 * size()); set<<<1, 32>>>(p); }\n");
  const Finished alone = run_program({"trace", main});
  EXPECT_EQ(alone.status, 0) << alone.error;
  EXPECT_THAT(alone.error, HasSubstr(fmt::format("{} has it: lanescope trace {} {}\n", part, main, part)));
  EXPECT_THAT(alone.output, HasSubstr("set  grid 1"));
  const Finished both = run_program({"trace", main, part});
  EXPECT_EQ(both.status, 0) << both.error;
  EXPECT_THAT(both.output, HasSubstr("set     1         1, 32"));
}

TEST_F(Program, with_a_lambda_for_the_device_is_compiled_with_what_nvcc_asks_for) {
  const Finished done =
      run_program({"trace", write("lambda.cu",
                                  "template <class F> __global__ void each(F f) { f(threadIdx.x); }\n"
                                  "int main() {\n  int* p;\n  cudaMalloc(&p, 128);\n"
                                  "  each<<<1, 32>>>([=] __device__(int n) { p[n] = n; });\n}\n")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("it was compiled with --extended-lambda"));
  EXPECT_THAT(done.output, HasSubstr("1, 32"));
}

TEST_F(Program, that_nvcc_refuses_leaves_its_kernels_and_the_first_error) {
  const std::string kernel = "__global__ void set(int* p) { p[threadIdx.x] = 1; }\n";
  const Finished header = run_program(
      {"trace", write("h.cu", "#include \"no_such_library.h\"\n" + kernel +
                                  "int main() { int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); }\n")});
  EXPECT_EQ(header.status, 0) << header.error;
  EXPECT_THAT(header.error, HasSubstr("only its kernels"));
  EXPECT_THAT(header.error, HasSubstr("no_such_library.h: No such file or directory"));
  EXPECT_THAT(header.output, HasSubstr("set  grid 1"));
  const Finished host = run_program({"trace", write("e.cu", kernel + "int main() { return x; }\n")});
  EXPECT_THAT(host.error, testing::ContainsRegex("e.cu:2: error: identifier \"x\" is undefined"));
}

TEST_F(Program, that_still_lacks_something_when_a_header_was_found_says_what) {
  write("common/size.h", "#define SIZE 32\n");
  const Finished done = run_program(
      {"trace",
       write("a.cu",
             "#include \"size.h\"\nvoid draw();\n__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
             "int main() { int* p; cudaMalloc(&p, 4 * SIZE); set<<<1, SIZE>>>(p); draw(); }\n")});
  EXPECT_THAT(done.error, HasSubstr("only its kernels: undefined reference to `draw()'; give the program's"));
}

TEST_F(Program, with_a_launch_or_kernels_only_given_runs_no_host_code) {
  const std::string file = write("transpose.cu", kTranspose);
  for (const Finished& done : {run_program({"trace", file, "--kernels-only", "--kernel", "copy"}),
                               run_program({"trace", file, "--kernel", "copy", "--grid", "1", "--block", "32",
                                            "--arg", "f32[32]:iota", "--arg", "f32[32]:zeros"})}) {
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_THAT(done.output, Not(HasSubstr("first 64")));
    EXPECT_THAT(done.error, Not(HasSubstr("was run as")));
  }
}

TEST_F(Program, rows_are_its_own_lines_though_each_access_is_in_a_header_of_cuda) {
  const Finished done = run_program(
      {"trace", write("copy.cu",
                      "#include <cuda_pipeline.h>\n"
                      "__global__ void copy(const int4* in) {\n  __shared__ int4 tile[32];\n"
                      "  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);\n"
                      "  __pipeline_commit();\n  __pipeline_wait_prior(0);\n}\n"
                      "int main() {\n  int4* in;\n  cudaMalloc(&in, 512);\n  cudaMemset(in, 0, 512);\n"
                      "  copy<<<1, 32>>>(in);\n}\n")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output,
              testing::ContainsRegex("\n +4  global async copy .*__pipeline_memcpy_async\\(&tile"));
  EXPECT_THAT(done.output, HasSubstr("(in cuda_pipeline"));
}

TEST_F(Program, a_launch_that_reaches_a_limit_is_told_with_its_reason) {
  const std::string file = write("long.cu",
                                 "__global__ void spin(volatile int* p) {\n"
                                 "  for (int n = 0; n < 1000000000; ++n) p[threadIdx.x] = n;\n}\n"
                                 "int main() { int* p; cudaMalloc(&p, 128);\n"
                                 "spin<<<1, 32>>>(p); }\n");
  const Finished done = run_program({"trace", file, "--limit-steps", "100000"});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(times("100000", done.error), 1u) << done.error;
}

TEST_F(Program, that_only_names_its_launches_gets_its_kernel_alone) {
  const Finished done = run_program({"trace", write("sketch.cu",
                                                    "__global__ void set(float* p) { p[threadIdx.x] = 1; }\n"
                                                    "int main() { float* p = 0; set<<<2, 64>>>(p); }\n")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("gives its kernels null pointers"));
  EXPECT_THAT(done.output, HasSubstr("set  grid 2 x 1 x 1  block 64"));
}

TEST_F(Program, with_names_that_cuda_13_took_away_compiles) {
  const Finished done = run_program(
      {"trace",
       write("old.cu",
             "#include <cstdio>\n__global__ void sum(int* p) { *p = __shfl(threadIdx.x, 5) + __any(1); }\n"
             "int main() { int *p, n; cudaMalloc(&p, 4); sum<<<1, 32>>>(p); cudaThreadSynchronize();\n"
             "cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); std::printf(\"%d\\n\", n); }\n")});
  EXPECT_THAT(done.output, testing::StartsWith("6\n")) << done.error;
}

TEST_F(Program, with_a_wrong_direction_of_a_copy_gets_what_a_gpu_does) {
  // As an H200 with CUDA 13.0 does: 0 is cudaSuccess, 1 cudaErrorInvalidValue.
  const Finished done =
      run_program({"run", write("copies.cu",
                                "#include <cstdio>\n"
                                "int main() { int *a, *b, host = 7; cudaMalloc(&a, 4); cudaMalloc(&b, 4);\n"
                                "cudaMemcpy(a, &host, 4, cudaMemcpyHostToDevice);\n"
                                "int first = cudaMemcpy(b, a, 4, cudaMemcpyDeviceToHost); host = 0;\n"
                                "cudaMemcpy(&host, b, 4, cudaMemcpyDeviceToHost);\n"
                                "int second = cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice);\n"
                                "int third = cudaMemcpy(a, &host, 4, cudaMemcpyDeviceToDevice);\n"
                                "std::printf(\"%d %d %d %d\\n\", host, first, second, third); }\n")});
  EXPECT_EQ(done.output, "7 0 0 1\n") << done.error;
}

TEST_F(Program, run_takes_a_source_too) {
  const Finished done = run_program({"run", write("transpose.cu", kTranspose), "0"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "0 64\n");
  EXPECT_THAT(done.error, HasSubstr("2 launches, in the emulator"));
}

}  // namespace
}  // namespace lanescope
