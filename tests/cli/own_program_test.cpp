// A person's own program on the command line: host and device code in one file, headers in other folders.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using tests::Finished;
using tests::run_program;

class OwnProgram : public testing::Test {
 protected:
  void SetUp() override {
    write("common/check.h",
          "#pragma once\n#include <cstdlib>\n#include <iostream>\n"
          "#define CHECK(call) check((call), __FILE__, __LINE__)\n"
          "inline void check(cudaError_t status, const char* file, int line) {\n"
          "  if (status != cudaSuccess) { std::cerr << file << line << std::endl; exit(1); }\n}\n");
    write("src/scale.cuh",
          "#pragma once\n#include \"../common/check.h\"\n"
          "template <class T, int kStep>\n__global__ void scale(T* a, T factor, int n) {\n"
          "  int i = (blockIdx.x * blockDim.x + threadIdx.x) * kStep;\n"
          "  if (i < n) a[i] *= factor;\n}\n");
    main_ = write("src/main.cu",
                  "#include <algorithm>\n#include <fstream>\n#include <vector>\n"
                  "#include \"scale.cuh\"\n"
                  "#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\n"
                  "const int kBlock = 64;\n"
                  "std::vector<float> reference(const std::vector<float>& a) { return a; }\n"
                  "__global__ void fill(float* a, uint n) {\n"
                  "  uint i = blockIdx.x * kBlock + threadIdx.x;\n"
                  "  if (i < n) a[i] = i;\n"
                  "}\n"
                  "int main(int argc, char** argv) {\n"
                  "  int n = 1000;\n"
                  "  float* d_a;\n"
                  "  CHECK(cudaMalloc(&d_a, n * sizeof(float)));\n"
                  "  dim3 grid(CEIL_DIV(n, kBlock));\n"
                  "  fill<<<grid, kBlock>>>(d_a, n);\n"
                  "  for (int step = 0; step < argc; ++step)\n"
                  "    scale<float, 2><<<argc, dim3(16, 4), 4 * kBlock>>>(d_a, 2.0f, n);\n"
                  "  std::ofstream(\"out.txt\") << \"done }\";\n"
                  "}\n");
  }

  std::string write(const fs::path& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
    return (folder_ / file).string();
  }

  tests::TemporaryFolder folder_{"own_program"};
  std::string main_;
};

TEST_F(OwnProgram, is_traced_as_it_is) {
  const Finished done = run_program({"trace", main_, "--kernel", "fill", "--grid", "16", "--block", "64",
                                     "--arg", "f32[1000]:zeros", "--arg", "u32:1000", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json site = Json::parse(done.output)["sites"][0];
  EXPECT_EQ(site["file"], main_);
  EXPECT_EQ(site["line"], 10);
  EXPECT_EQ(site["text"], "if (i < n) a[i] = i;");
  // 1000 of 1024 threads: 31 warps whole, and one with 8 lanes.
  EXPECT_EQ(site["requests"], 32);
  EXPECT_EQ(site["lanes"], 1000);
}

/// NVRTC takes at least some hundredths of a second, the cache takes none.
TEST_F(OwnProgram, is_compiled_once) {
  const auto seconds = [&] {
    const Finished done = run_program({"trace", main_, "--kernel", "fill", "--grid", "16", "--block", "64",
                                       "--arg", "f32[1000]:zeros", "--arg", "u32:1000", "--json"});
    EXPECT_EQ(done.status, 0) << done.error;
    return Json::parse(done.output)["seconds"]["compile"].get<double>();
  };
  const double first = seconds(), second = seconds();
  EXPECT_GT(first, 0.01);
  EXPECT_LT(second, first / 2);
}

/// The template is in a header, and host code alone launches an instance of it.
TEST_F(OwnProgram, a_template_without_arguments_is_the_instance_that_the_host_launches) {
  const Finished done = run_program({"trace", main_, "--kernel", "scale", "--block", "32", "--arg",
                                     "f32[64]:iota", "--arg", "f32:2", "--arg", "i32:64", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["kernel"], "scale<float, 2>");
  EXPECT_EQ(fs::path(report["sites"][0]["file"].get<std::string>()).filename(), "scale.cuh");
  EXPECT_EQ(report["sites"][0]["line"], 6);
}

TEST_F(OwnProgram, an_instance_may_be_spelled_in_any_way) {
  for (const char* name : {"scale<double,3>", "scale< double , 3 >", "scale<double, 1 + 2>"}) {
    const Finished done = run_program({"trace", main_, "--kernel", name, "--block", "4", "--arg",
                                       "f64[16]:iota", "--arg", "f64:2", "--arg", "i32:16", "--json"});
    EXPECT_EQ(done.status, 0) << name << ": " << done.error;
  }
  const Finished wrong = run_program({"trace", main_, "--kernel", "scael<float, 2>", "--block", "4"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.error.find("scael<float, 2> is no instance of a kernel of the file; its templates are: "
                             "scale<class T, int kStep>"),
            std::string::npos)
      << wrong.error;
}

TEST_F(OwnProgram, kernels_lists_the_launches_of_the_host) {
  const Finished done = run_program({"kernels", main_, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json kernels = Json::parse(done.output)["kernels"];
  ASSERT_EQ(kernels.size(), 2u);
  const Json& fill = kernels[0]["name"] == "fill" ? kernels[0] : kernels[1];
  const Json& scale = kernels[0]["name"] == "fill" ? kernels[1] : kernels[0];
  EXPECT_EQ(fill["launches"],
            Json::parse(R"([{"kernel": "fill", "line": 17, "stream": "", "arguments": ["d_a", "n"],
                             "grid": {"text": "grid", "value": [16, 1, 1]},
                             "block": {"text": "kBlock", "value": [64, 1, 1]},
                             "shared_bytes": {"text": "", "value": 0}, "file": ")" +
                        main_ + R"("}])"));
  EXPECT_EQ(scale["name"], "scale<float, 2>");
  EXPECT_EQ(scale["parameters"][1]["name"], "factor");
  ASSERT_EQ(scale["launches"].size(), 1u);
  const Json& launch = scale["launches"][0];
  EXPECT_EQ(launch["line"], 19);
  EXPECT_EQ(launch["grid"], Json::parse(R"({"text": "argc", "value": null})"));
  EXPECT_EQ(launch["block"]["value"], Json::parse("[16, 4, 1]"));
  EXPECT_EQ(launch["shared_bytes"], Json::parse(R"({"text": "4 * kBlock", "value": 256})"));

  const Finished table = run_program({"kernels", main_});
  EXPECT_NE(table.output.find(main_ + ":17: fill<<<grid, kBlock>>>(d_a, n)  (grid 16, block 64)"),
            std::string::npos)
      << table.output;
  EXPECT_NE(
      table.output.find(main_ + ":19: scale<float, 2><<<argc, dim3(16, 4), 4 * kBlock>>>(d_a, 2.0f, n)  "
                                "(block 16 x 4, shared 256)"),
      std::string::npos)
      << table.output;
}

TEST_F(OwnProgram, errors_are_those_of_its_kernels) {
  const std::string wrong = write("src/wrong.cu",
                                  "#include <vector>\n#include \"scale.cuh\"\n"
                                  "__global__ void k(float* a) {\n  a[0] = undeclared;\n}\n"
                                  "int main() { std::vector<int> v; missing(v); }\n");
  const Finished done = run_program({"trace", wrong, "--block", "32", "--arg", "f32[1]:zeros"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.error.find("wrong.cu(4): error: identifier \"undeclared\" is undefined"), std::string::npos)
      << done.error;
  EXPECT_EQ(done.error.find("missing"), std::string::npos) << done.error;
  EXPECT_EQ(done.error.find("vector"), std::string::npos) << done.error;
}

TEST_F(OwnProgram, a_header_that_is_not_found_is_named_where_the_kernel_may_be_in_it) {
  const std::string lost =
      write("src/lost.cu", "#include \"kernels/all.cuh\"\nint main() { k<<<1, 1>>>(); }\n");
  const Finished done = run_program({"kernels", lost});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.error.find(
                "the file has no __global__ function, and kernels/all.cuh was not found; give the folder "
                "with -I"),
            std::string::npos)
      << done.error;
  write("include/kernels/all.cuh", "__global__ void k() {}\n");
  EXPECT_EQ(run_program({"kernels", lost, "-I", (folder_ / "include").string()}).status, 0);
}

}  // namespace
}  // namespace lanescope
