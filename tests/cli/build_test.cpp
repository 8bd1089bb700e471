// `lanescope run -- make run`: what is built in the program is built for Lanescope's driver, whatever its
// Makefile asks of nvcc.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::Finished;

constexpr const char* kSource = R"cu(
#include <cstdio>
__global__ void set(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p, n[32];
  cudaMalloc(&p, sizeof n);
  set<<<1, 32>>>(p);
  cudaMemcpy(n, p, sizeof n, cudaMemcpyDeviceToHost);
  std::printf("last %d\n", n[31]);
}
)cu";

class Build : public tests::SourceProgramTest {
 protected:
  void SetUp() override {
    SourceProgramTest::SetUp();
    if (!fs::exists("/usr/bin/make")) GTEST_SKIP() << "make is not installed";
  }
  Finished make(const std::string& makefile, const std::string& source = kSource) const {
    std::ofstream(folder_ / "main.cu") << source;
    std::ofstream(folder_ / "Makefile") << makefile;
    return tests::run_program({"run", "--", "make", "-s", "-C", folder_.path().string(), "run"});
  }
  tests::TemporaryFolder folder_{"build"};
};

TEST_F(Build, options_of_older_devices_and_a_static_runtime_are_replaced) {
  const Finished done = make(
      "main: main.cu\n\tnvcc -gencode arch=compute_35,code=sm_35 -G -cudart static $< -o $@\n"
      "run: main\n\t./main\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("last 31\n"));
  EXPECT_THAT(done.error, HasSubstr("set     1         1, 32"));
}

TEST_F(Build, a_toolkit_that_the_makefile_names_and_a_link_by_the_compiler_work) {
  const Finished done = make(
      "CUDA_HOME ?= /usr/local/cuda\nmain.o: main.cu\n\t$(CUDA_HOME)/bin/nvcc -rdc=true -dc $< -o $@\n"
      "main: main.o\n\t$(CUDA_HOME)/bin/nvcc -dlink $< -o link.o\n"
      "\tg++ $< link.o -o $@ -L$(CUDA_HOME)/lib64 -lcudart_static\n"
      "run: main\n\t./main\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("last 31\n"));
  EXPECT_THAT(done.error, HasSubstr("set     1         1, 32"));
}

TEST_F(Build, names_that_cuda_13_took_away_are_given_back_and_nvcc_can_be_the_program) {
  std::string source = kSource;
  source.replace(source.find("cudaMemcpy"), 0, "cudaThreadSynchronize();\n  ");
  const Finished done = make("main: main.cu\n\tnvcc $< -o $@\nrun: main\n\t./main\n", source);
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("last 31\n"));
  const std::string file = folder_ / "main.cu", program = folder_ / "program";
  const Finished built = tests::run_program({"run", "--", "nvcc", file, "-o", program});
  EXPECT_EQ(built.status, 0) << built.error;
  EXPECT_EQ(tests::run_program({"run", "--", program}).output, "last 31\n");
}

TEST_F(Build, a_mistake_in_the_source_is_the_compiler_s_to_tell) {
  const Finished done =
      make("main: main.cu\n\tnvcc $< -o $@\nrun: main\n\t./main\n", "int main() { return x; }\n");
  EXPECT_EQ(done.status, 2) << "as make ends";
  EXPECT_THAT(done.error, HasSubstr("identifier \"x\" is undefined"));
  EXPECT_THAT(done.error, HasSubstr("no kernel was launched"));
}

}  // namespace
}  // namespace lanescope
