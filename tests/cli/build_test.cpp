// `lanescope run -- make run`: what is built in the program is built for Lanescope's driver, whatever its
// Makefile asks of nvcc.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <cstdlib>
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

/// Device code of two files: a function, a variable, a constant and a template's function that both use, and
/// a string of each.
constexpr const char* kHeader = R"cu(
#include <cstdio>
extern __device__ int counter;
extern __constant__ int table[4];
__device__ int twice(int x);
template <class T>
__device__ __noinline__ T next(T x) { return x + 1; }
)cu";

constexpr const char* kFirstFile = R"cu(
#include "parts.h"
__device__ int counter = 3;
__constant__ int table[4] = {1, 2, 3, 4};
__global__ void fill(int* to) {
  printf("first\n");
  *to = twice(next(20));
}
int set();
int main() {
  int *memory, host = 0;
  cudaMalloc(&memory, sizeof host);
  fill<<<1, 1>>>(memory);
  cudaMemcpy(&host, memory, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", host, set(), cudaGetErrorString(cudaGetLastError()));
}
)cu";

constexpr const char* kSecondFile = R"cu(
#include "parts.h"
__device__ int twice(int x) {
  printf("second\n");
  return 2 * x + table[1] + next(0);
}
__global__ void add() { counter += 4; }
int set() {
  int host;
  add<<<1, 1>>>();
  cudaMemcpyFromSymbol(&host, counter, sizeof host);
  return host;
}
)cu";

class LinkedBuild : public Build {
 protected:
  void SetUp() override {
    Build::SetUp();
    std::ofstream(folder_ / "parts.h") << kHeader;
    std::ofstream(folder_ / "second.cu") << kSecondFile;
  }
};

TEST_F(LinkedBuild, device_code_of_several_files_is_linked) {
  const Finished done = make(
      "main: main.cu second.cu\n\tnvcc -rdc=true -arch=sm_35 main.cu second.cu -o $@ -lcudadevrt\n"
      "run: main\n\t./main\n",
      kFirstFile);
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("first\nsecond\n45 7 no error\n"));
}

TEST_F(LinkedBuild, a_static_library_and_a_link_of_its_own_are_linked) {
  const Finished done = make(
      "%.o: %.cu\n\t$(CUDA_HOME)/bin/nvcc -arch=sm_35 -dc $< -o $@\n"
      "libsecond.a: second.o\n\tar rc $@ $<\n"
      "main: main.o libsecond.a\n\tnvcc -arch=sm_35 -dlink main.o -L. -lsecond -lcudadevrt -o link.o\n"
      "\tg++ main.o link.o -L. -lsecond -o $@ -L$(CUDA_HOME)/lib64 -lcudadevrt -lcudart_static\n"
      "run: main\n\t./main\n",
      kFirstFile);
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("first\nsecond\n45 7 no error\n"));
}

TEST_F(LinkedBuild, a_function_that_no_file_defines_is_named) {
  std::ofstream(folder_ / "second.cu") << "int set() { return 0; }\n";
  const Finished done = make(
      "main: main.cu second.cu\n\tnvcc -rdc=true main.cu second.cu -o $@\nrun: main\n\t./main\n", kFirstFile);
  EXPECT_THAT(done.error, HasSubstr("none of the linked files defines the device function twice(int)"));
}

/// With -rdc=true and without it: nvcc then asks for it, and the wrapper adds it.
TEST_F(Build, a_kernel_that_launches_a_kernel_is_built_and_runs) {
  for (const char* words : {"nvcc -rdc=true main.cu -o $@ -lcudadevrt", "nvcc main.cu -o $@"}) {
    fs::remove(folder_ / "main");
    const Finished done =
        make(std::string("main: main.cu\n\t") + words + "\nrun: main\n\t./main\n",
             "#include <cstdio>\n__global__ void child() {}\n"
             "__global__ void parent() { child<<<1, 2>>>(); }\n"
             "int main() { parent<<<1, 1>>>(); std::puts(cudaGetErrorName(cudaDeviceSynchronize())); }\n");
    EXPECT_THAT(done.output, HasSubstr("cudaSuccess"));
    EXPECT_THAT(done.error, testing::ContainsRegex("child +1 +1, 2 "));
  }
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

/// CMake's own test programs are nothing to tell a person about.
TEST_F(Build, cmake_builds_with_separable_compilation) {
  if (!fs::exists("/usr/bin/cmake")) GTEST_SKIP() << "cmake is not installed";
  std::ofstream(folder_ / "main.cu") << kSource;
  std::ofstream(folder_ / "CMakeLists.txt")
      << "cmake_minimum_required(VERSION 3.20)\nproject(one LANGUAGES CXX CUDA)\nadd_executable(one "
         "main.cu)\n"
         "set_target_properties(one PROPERTIES CUDA_ARCHITECTURES \"60;80\" CUDA_SEPARABLE_COMPILATION ON)\n";
  const std::string folder = folder_.path().string(), build = folder + "/build";
  const Finished done =
      tests::run_program({"run", "--", "sh", "-c",
                          "cmake -S " + folder + " -B " + build + " >" + folder + "/log && cmake --build " +
                              build + " >>" + folder + "/log && " + build + "/one"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("last 31\n"));
  EXPECT_THAT(done.error, testing::Not(HasSubstr("note:")));
}

/// What a shell builds by itself, with any nvcc, runs under `lanescope run` afterwards.
TEST_F(Build, the_variables_of_env_build_what_runs_later) {
  std::ofstream(folder_ / "main.cu") << kSource;
  std::ofstream(folder_ / "Makefile") << "CUDA_HOME ?= /usr/local/cuda\n"
                                         "main: main.cu\n\t$(CUDA_HOME)/bin/nvcc -arch=sm_35 $< -o $@\n";
  const Finished variables = tests::run_program({"env"});
  ASSERT_EQ(variables.status, 0) << variables.error;
  EXPECT_THAT(variables.output, HasSubstr("export CUDA_HOME='"));
  EXPECT_THAT(variables.output, testing::Not(HasSubstr("SOCKET")));
  std::ofstream(folder_ / "build.sh") << variables.output << "make -s -C " << folder_.path().string() << "\n";
  ASSERT_EQ(std::system(("sh " + (folder_.path() / "build.sh").string()).c_str()), 0);
  const Finished done = tests::run_program({"run", "--", (folder_.path() / "main").string()});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("last 31\n"));
}

}  // namespace
}  // namespace lanescope
