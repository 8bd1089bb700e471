// `lanescope report` as a person and a CI run it: what it writes, its exit status, and what it refuses.

#include "support/four_kernel.h"
#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class ReportVerb : public testing::Test {
 protected:
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return path(name);
  }
  /// A report of the transpose of 64 x 64 floats by this kernel of the lesson.
  Finished report(const char* kernel, std::vector<std::string> more) const {
    std::vector<std::string> words{
        "report", "--lesson", "transpose", "--set", "size=64", "--set", std::string("kernel=") + kernel};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  Json json(const char* name) const { return Json::parse(text_of(path(name))); }

  tests::TemporaryFolder folder_{"report"};
};

/// One warp, whose lanes read four neighboring words of shared memory each: in the PTX by four loads of four
/// wavefronts, in the machine code by one of 128 bits with four. Beside them there are 4 loads and a store of
/// global memory, and 4 stores to shared memory.
TEST_F(ReportVerb, counts_the_machine_code_where_it_is_known) {
  const std::string source = write("four.cu", tests::kFourKernel);
  const auto launch = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"report",           source,  "--block",          "32", "--arg",
                                   "in=f32[128]:iota", "--arg", "out=f32[32]:zeros"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const Finished ptx = launch({"-o", path("ptx.json")});
  if (ptx.error.contains("NVRTC") && ptx.error.contains("not found")) GTEST_SKIP() << ptx.error;
  ASSERT_EQ(ptx.status, 0) << ptx.error;
  ASSERT_EQ(launch({"--level", "sass", "-o", path("sass.json"), "-o", path("sass.md")}).status, 0);
  const Json of_ptx = json("ptx.json")["launches"][0], of_sass = json("sass.json")["launches"][0];
  EXPECT_EQ(of_ptx["level"], "ptx");
  EXPECT_FALSE(of_ptx.contains("matched"));
  EXPECT_EQ(of_ptx["cost"]["requests"], 13);
  EXPECT_EQ(of_ptx["cost"]["wavefronts"], 4 + 4 * 4);
  EXPECT_EQ(of_sass["level"], "sass");
  EXPECT_EQ(of_sass["matched"], 1.0);
  EXPECT_EQ(of_sass["cost"]["requests"], 10);
  EXPECT_EQ(of_sass["cost"]["wavefronts"], 4 + 4);
  EXPECT_THAT(
      text_of(path("sass.md")),
      HasSubstr(
          "Counted: the machine code (SASS), with which 100\u00a0% of the requests of the PTX are matched."));
  EXPECT_THAT(text_of(path("sass.md")), HasSubstr("they are exact for the machine code"));
  const Finished mixed = launch({"--level", "sass", "--against", path("ptx.json")});
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.error, HasSubstr("compare reports with the same --level"));
}

/// PTX has two memory instructions in a line, which the assembler's table does not tell apart.
TEST_F(ReportVerb, counts_the_ptx_where_the_machine_code_is_not_known) {
  const std::string source = write("crowded.ptx", R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b64 %a; .reg .b32 %x;
  ld.param.u64 %a, [out]; cvta.to.global.u64 %a, %a;
  ld.global.u32 %x, [%a]; st.global.u32 [%a], %x;
  ret;
}
)");
  const Finished done =
      run_program({"report", source, "--grid", "1", "--block", "32", "--arg", "out=i32[1]:zeros", "--checks",
                   "none", "--level", "sass", "-o", path("r.json")});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json launch = json("r.json")["launches"][0];
  EXPECT_EQ(launch["level"], "ptx");
  EXPECT_EQ(launch["cost"]["requests"], 2);
  EXPECT_EQ(launch["notes"][0], "The machine code of this kernel is not known: the PTX is counted.");
  const Finished saved = run_program({"report", path("none.lane"), "--level", "sass"});
  EXPECT_EQ(saved.status, 2);
  EXPECT_THAT(saved.error, HasSubstr("leave out --level"));
}

TEST_F(ReportVerb, speaks_french) {
  const Finished done = report("naive", {"--language", "fr", "-o", path("r.html"), "-o", path("r.json")});
  EXPECT_EQ(done.status, 0) << done.error;
  const std::string html = text_of(path("r.html"));
  EXPECT_THAT(html, HasSubstr("<html lang=\"fr\">"));
  EXPECT_THAT(html, HasSubstr("Ce que la leçon transpose fait à la mémoire"));
  EXPECT_THAT(html, HasSubstr("Écriture globale\u00a0: 4\u00a0096 secteurs, et 512 suffiraient"));
  EXPECT_THAT(html, HasSubstr("secteurs de 32 octets, lignes de 128"));  // of the picture
  EXPECT_EQ(json("r.json")["launches"][0]["findings"][0]["kind"], "excess_sectors");
  EXPECT_THAT(done.error, HasSubstr("1 lancement de 1 kernel"));
  EXPECT_EQ(report("naive", {"--language", "de"}).status, 2);
}

/// The naive kernel stores columns: 128 warps with 32 sectors each, and 4 would be enough.
TEST_F(ReportVerb, says_what_to_change_in_each_format) {
  const Finished done = report("naive", {"-o", path("r.html"), "-o", path("r.md"), "-o", path("r.json")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "");
  const Json finding = json("r.json")["launches"][0]["findings"][0];
  EXPECT_EQ(finding["kind"], "excess_sectors");
  EXPECT_EQ(finding["cost"], 128 * 32);
  EXPECT_EQ(finding["ideal"], 128 * 4);
  EXPECT_EQ(finding["saving"]["provenance"], "modelled");
  EXPECT_THAT(text_of(path("r.html")), HasSubstr("4,096 sectors"));
  EXPECT_THAT(text_of(path("r.html")), HasSubstr("<svg "));
  EXPECT_THAT(text_of(path("r.md")), HasSubstr("| 128 | 4,096 sectors | 512 | 8x uncoalesced |"));
}

TEST_F(ReportVerb, is_markdown_on_standard_output_without_a_file) {
  const Finished done = report("tiled", {});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::StartsWith("# What lesson transpose does to memory"));
  EXPECT_THAT(done.error, HasSubstr("0 hazards"));
}

TEST_F(ReportVerb, of_a_hazard_has_status_1) {
  const Finished done = run_program({"report", "--lesson", "races", "-o", path("r.json"), "--junit",
                                     path("r.xml"), "--sarif", path("r.sarif")});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("Race in "));
  EXPECT_EQ(json("r.json")["kernels"][0]["hazards"], 1);
  EXPECT_THAT(text_of(path("r.xml")), HasSubstr("<failure message=\"Race\">"));
  EXPECT_EQ(json("r.sarif")["runs"][0]["results"][0]["level"], "error");
}

TEST_F(ReportVerb, fails_where_it_is_worse_than_another) {
  ASSERT_EQ(report("tiled", {"-o", path("base.json")}).status, 0);
  const Finished same = report("tiled", {"--against", path("base.json")});
  EXPECT_EQ(same.status, 0) << same.error;
  EXPECT_THAT(same.error, HasSubstr("Not worse than base.json"));
  // The kernel of the padded tile has the name of its own: nothing of it is known.
  const Finished other = report("naive", {"--against", path("base.json"), "-o", path("r.json")});
  EXPECT_EQ(other.status, 1);
  EXPECT_GE(json("r.json")["against"]["new_findings"], 1);
  EXPECT_THAT(other.error, HasSubstr("Excess sectors in transpose_naive"));
}

constexpr const char* kKernel =
    "__global__ void scale(float* x, int n) {\n"
    "  const int i = STRIDE * (blockIdx.x * blockDim.x + threadIdx.x);\n"
    "  if (i < n) x[i] *= 2;COMMENT\n"
    "}\n"
    "__global__ void other(float* x) { x[threadIdx.x] = 1; }\n";

std::string kernel(const std::string& stride, const std::string& comment = "") {
  std::string text = kKernel;
  text.replace(text.find("STRIDE"), 6, stride);
  return text.replace(text.find("COMMENT"), 7, comment);
}

class ReportOfKernels : public ReportVerb {
 protected:
  Finished report_of(const std::string& text, std::vector<std::string> more) {
    std::vector<std::string> words{"report", write("k.cu", text), "--kernel", "scale", "--grid",
                                   "4",      "--block",           "256",      "--arg", "x=f32[8192]:zeros",
                                   "--arg",  "i32:8192"};
    words.insert(words.end(), more.begin(), more.end());
    Finished done = run_program(words);
    is_without_compiler_ = done.error.contains("NVRTC") && done.error.contains("not found");
    return done;
  }
  bool is_without_compiler_ = false;
};

/// Of 32 warps each takes 4 sectors for a row, and 32 with a stride of 8 floats.
TEST_F(ReportOfKernels, compares_two_versions_of_a_kernel) {
  const Finished base = report_of(kernel("1"), {"-o", path("base.json")});
  if (is_without_compiler_) GTEST_SKIP() << base.error;
  ASSERT_EQ(base.status, 0) << base.error;
  const Finished worse = report_of(kernel("8"), {"--against", path("base.json")});
  EXPECT_EQ(worse.status, 1);
  EXPECT_THAT(worse.error, HasSubstr("worse: scale: 256 -> 2,048 sectors (+700.0 %)"));
  EXPECT_EQ(report_of(kernel("8"), {"--against", path("base.json"), "--tolerance", "800"}).status, 1)
      << "its findings are new";
  ASSERT_EQ(report_of(kernel("8"), {"-o", path("base.json")}).status, 0);
  const Finished better = report_of(kernel("1"), {"--against", path("base.json")});
  EXPECT_EQ(better.status, 0) << better.error;
  EXPECT_THAT(better.error, HasSubstr("2 findings are gone"));
}

TEST_F(ReportOfKernels, has_suppressions_and_names_unused_ones) {
  const Finished done =
      report_of(kernel("8", "  // lanescope: allow excess_sectors: a test"), {"-o", path("r.json")});
  if (is_without_compiler_) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  const Json report = json("r.json");
  EXPECT_EQ(report["suppressed"], 2);
  EXPECT_EQ(report["launches"][0]["findings"][0]["suppressed"]["reason"], "a test");
  const std::string rules = write("allow.toml", "[[allow]]\nkind = \"race\"\nreason = \"none here\"\n");
  const Finished unused = report_of(kernel("1"), {"--suppressions", rules, "-o", path("r.json")});
  EXPECT_EQ(unused.status, 0);
  EXPECT_THAT(unused.error,
              HasSubstr("allow.toml:1: this suppresses no finding (race): none here; take it out"));
}

TEST_F(ReportOfKernels, has_each_kernel_of_a_file_that_runs_no_host_code) {
  const Finished done =
      run_program({"report", write("k.cu", kernel("8")), "--kernels-only", "-o", path("r.json")});
  if (done.error.contains("NVRTC") && done.error.contains("not found")) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  const Json report = json("r.json");
  ASSERT_EQ(report["kernels"].size(), 2u);
  EXPECT_EQ(report["kernels"][0]["kernel"], "scale");
  EXPECT_EQ(report["kernels"][1]["kernel"], "other");
  EXPECT_THAT(report["launches"][0]["notes"][0].get<std::string>(), HasSubstr("The launch is a guess"));
}

/// Where the file has no kernel, those of its header that it launches: each of them, not the first alone.
TEST_F(ReportOfKernels, has_the_kernels_of_a_header_that_the_file_launches) {
  write("k.cuh", kernel("1") + "__global__ void unused(float* x) { x[threadIdx.x] = 3; }\n");
  const std::string file = write("k.cu",
                                 "#include \"k.cuh\"\n"
                                 "void run(float* x) { scale<<<4, 256>>>(x, 1024); other<<<1, 32>>>(x); }\n");
  const Finished done = run_program({"report", file, "--kernels-only", "-o", path("r.json")});
  if (done.error.contains("NVRTC") && done.error.contains("not found")) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  const Json report = json("r.json");
  ASSERT_EQ(report["kernels"].size(), 2u);
  EXPECT_EQ(report["kernels"][0]["kernel"], "scale");
  EXPECT_EQ(report["kernels"][1]["kernel"], "other");
}

TEST_F(ReportOfKernels, says_why_none_of_a_program_s_kernels_runs) {
  const std::string file =
      write("k.cu",
            "__global__ void f(cudaTextureObject_t t, float* x) { x[0] = tex1Dfetch<float>(t, 0); }\n"
            "__global__ void g(cudaTextureObject_t t, float* x) { x[1] = tex1Dfetch<float>(t, 1); }\n"
            "int main() {}\n");
  const Finished done = run_program({"report", file, "--kernels-only"});
  if (done.error.contains("NVRTC") && done.error.contains("not found")) GTEST_SKIP() << done.error;
  EXPECT_NE(done.status, 0);
  EXPECT_THAT(done.error, HasSubstr("no kernel of the file could be run; Kernel f was not run: "));
  EXPECT_THAT(done.error, HasSubstr("cudaTextureObject_t, for which no value can be guessed"));
}

/// Each of three times 32 warps load and store 4 sectors.
TEST_F(ReportOfKernels, adds_the_times_of_a_launch) {
  (void)write("k.cu", kernel("1"));
  const std::string launches = write("k.toml",
                                     "file = \"k.cu\"\n[buffers]\nx = \"f32[8192]:zeros\"\n"
                                     "[[launch]]\nkernel = \"scale\"\ngrid = 4\nblock = 256\n"
                                     "arguments = [\"x\", \"i32:8192\"]\ntimes = 3\n"
                                     "[[launch]]\nkernel = \"other\"\ngrid = 1\nblock = 32\n"
                                     "arguments = [\"x\"]\n");
  const Finished done = run_program({"report", launches, "-o", path("r.json")});
  if (done.error.contains("NVRTC") && done.error.contains("not found")) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  const Json report = json("r.json");
  ASSERT_EQ(report["launches"].size(), 2u);
  EXPECT_EQ(report["launches"][0]["times"], 3);
  EXPECT_EQ(report["launches"][0]["cost"]["sectors"], 256);
  EXPECT_EQ(report["launches"][0]["cost_of_all"]["sectors"], 3 * 256);
  EXPECT_EQ(report["launches"][1]["number"], 4);
  EXPECT_EQ(report["kernels"][0]["launches"], 3);
}

/// A saved trace has what the run's report has, but for the barriers of the caches' model: the kernel has
/// none.
TEST_F(ReportOfKernels, of_a_saved_trace_equals_that_of_the_run) {
  const Finished done = report_of(kernel("8"), {"-o", path("run.json")});
  if (is_without_compiler_) GTEST_SKIP() << done.error;
  ASSERT_EQ(run_program({"trace", path("k.cu"), "--kernel", "scale", "--grid", "4", "--block", "256", "--arg",
                         "x=f32[8192]:zeros", "--arg", "i32:8192", "--save", path("k.lane")})
                .status,
            0);
  ASSERT_EQ(run_program({"report", path("k.lane"), "-o", path("lane.json")}).status, 0);
  const Json run = json("run.json")["launches"][0], lane = json("lane.json")["launches"][0];
  EXPECT_EQ(run["cost"], lane["cost"]);
  EXPECT_EQ(run["lines"], lane["lines"]);
  EXPECT_DOUBLE_EQ(run["bound"]["seconds"].get<double>(), lane["bound"]["seconds"].get<double>());
}

class ReportOfPrograms : public tests::SourceProgramTest {
 protected:
  tests::TemporaryFolder folder_{"report"};
};

TEST_F(ReportOfPrograms, has_each_kernel_and_shape) {
  const std::string file = (folder_ / "p.cu").string();
  std::ofstream(file) << "#include <cstdio>\n__global__ void f(float* x) { x[32 * threadIdx.x] = 1; }\n"
                         "int main() {\n  float* x;\n  cudaMalloc(&x, 1 << 20);\n"
                         "  for (int i = 0; i < 3; ++i) f<<<1, 64>>>(x);\n  f<<<1, 32>>>(x);\n"
                         "  printf(\"said\\n\");\n  return cudaDeviceSynchronize();\n}\n";
  const std::string out = (folder_ / "r.json").string();
  const Finished done = run_program({"report", file, "-o", out});
  if (done.error.contains("nvcc") && done.error.contains("only its kernels")) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "said\n");
  const Json report = Json::parse(text_of(out));
  ASSERT_EQ(report["launches"].size(), 2u);
  EXPECT_EQ(report["launches"][0]["times"], 3);
  EXPECT_EQ(report["launches"][0]["cost"]["sectors"], 64);
  EXPECT_EQ(report["kernels"][0]["sectors"], 3 * 64 + 32);
  EXPECT_EQ(report["kernels"][0]["launches"], 4);
  EXPECT_EQ(run_program({"report", file}).output.find("said"), std::string::npos);
  EXPECT_EQ(run_program({"report", file, "--launch", "4", "-o", out}).status, 0);
  const Json one = Json::parse(text_of(out));
  EXPECT_EQ(one["kernels"][0]["sectors"], 32);
  EXPECT_EQ(one["launches"][0]["number"], 4);
  EXPECT_EQ(run_program({"report", file, "--kernel", "g"}).status, 2);
}

TEST_F(ReportVerb, bad_requests_are_one_sentence) {
  const struct {
    std::vector<std::string> words;
    int status;
    const char* says;
  } kCases[] = {
      {{}, 2, "what to report is missing"},
      {{"--lesson", "warp", "-o", "r.pdf"}, 2, "a report is written as .html, .md or .json; 'r.pdf'"},
      {{"--lesson", "warp", "-o", "missing/r.md"}, 1, "missing/r.md"},
      {{"--lesson", "warp", "--tolerance", "3"}, 2, "--tolerance is of a comparison; add --against OTHER"},
      {{"--lesson", "warp", "--against", "a.json", "--tolerance", "-1"},
       2,
       "--tolerance is a percentage from 0"},
      {{"--lesson", "warp", "--against", "missing.json"}, 1, "missing.json"},
      {{"--lesson", "warp", "--device", "gt200"}, 2, "a report counts sectors and wavefronts, which"},
      {{"--lesson", "warp", "--suppressions", "missing.toml"}, 1, "missing.toml"},
      {{"missing.lane"}, 1, "missing.lane"},
      {{"missing.cu"}, 1, "missing.cu"},
  };
  for (const auto& [more, status, says] : kCases) {
    std::vector<std::string> words{"report"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, status) << says << ": " << done.error;
    EXPECT_THAT(done.error, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
}

}  // namespace
}  // namespace lanescope
