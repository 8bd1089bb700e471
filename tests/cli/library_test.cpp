// Programs that call cuBLAS, cuRAND or cuFFT, on Lanescope's libraries in their place: compiled with
// Lanescope's headers, as where a toolkit has none.

#include "support/program.h"
#include "support/project.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;

class Library : public tests::SourceProgramTest {
 protected:
  void SetUp() override {
    SourceProgramTest::SetUp();
    if (IsSkipped()) return;
    // Copies: a compiler does not take a folder to be an early one that is a late one too.
    fs::copy(fs::path(tests::lanescope_program()).parent_path() / "driver/include", headers());
  }
  fs::path headers() const { return folder_.path() / "headers"; }
  Finished run(const fs::path& file, const std::vector<std::string>& arguments = {}) const {
    std::vector<std::string> words{"run", "-I", headers().string(), file.string()};
    if (!arguments.empty()) words.emplace_back("--");
    words.insert(words.end(), arguments.begin(), arguments.end());
    return tests::run_program(words);
  }
  /// Runs a program of tests/programs/libraries.
  Finished run_ours(const std::string& name, const std::vector<std::string>& arguments = {}) const {
    return run(tests::source_dir() / "tests/programs/libraries" / name, arguments);
  }
  tests::TemporaryFolder folder_{"library"};
};

TEST_F(Library, products_vectors_and_triangles_of_cublas_are_right) {
  const Finished done = run_ours("blas.cu");
  EXPECT_EQ(done.status, 0) << done.output << done.error;
  EXPECT_EQ(done.output, "blas: right\n") << done.error;
}

// As a program that was built with CUDA 12 asks for them: by name and by the version of a symbol.
TEST_F(Library, libraries_have_the_names_of_cuda_12_too) {
  std::ofstream(folder_.path() / "older.cu") << R"cu(
#include <cstdio>
#include <dlfcn.h>
template <class F>
F find(const char* library, const char* name) {
  void* const handle = dlopen(library, RTLD_NOW);
  return handle == nullptr ? nullptr : reinterpret_cast<F>(dlvsym(handle, name, library));
}
int main() {
  const char* const blas = "libcublas.so.12";
  const auto create = find<int (*)(void**)>(blas, "cublasCreate_v2");
  const auto dot = find<int (*)(void*, int, const float*, int, const float*, int, float*)>(blas, "cublasSdot_v2");
  const auto plan = find<int (*)(int*, int, int, int)>("libcufft.so.11", "cufftPlan1d");
  const auto light = find<int (*)(void**)>("libcublasLt.so.12", "cublasLtCreate");
  const auto random = find<int (*)(void**, int)>("libcurand.so.10", "curandCreateGenerator");
  std::printf("%d%d%d%d%d ", create != nullptr, dot != nullptr, plan != nullptr, light != nullptr, random != nullptr);
  const float host[3] = {1, 2, 3};
  float *device = nullptr, sum = 0;
  void* handle = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  std::printf("%d ", create(&handle));
  std::printf("%d ", dot(handle, 3, device, 1, device, 1, &sum));
  std::printf("%g\n", sum);  // 1 + 4 + 9
}
)cu";
  const Finished done = run(folder_.path() / "older.cu");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "11111 0 0 14\n") << done.error;
}

TEST_F(Library, transforms_of_cufft_are_right) {
  const Finished done = run_ours("fft.cu");
  EXPECT_EQ(done.status, 0) << done.output << done.error;
  EXPECT_EQ(done.output, "fft: right\n") << done.error;
  const Finished wrong = run_ours("fft.cu", {"mistakes"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.output, "mistakes: 0\n") << wrong.error;
  EXPECT_THAT(wrong.error, HasSubstr("cufftPlan1d failed: CUFFT_INVALID_SIZE (a size is not positive)"));
}

TEST_F(Library, mistakes_get_the_documented_status_and_a_reason) {
  const Finished done = run_ours("blas.cu", {"mistakes"});
  EXPECT_EQ(done.output, "mistakes: 0\n");
  EXPECT_EQ(done.status, 1) << "although the program ends with 0";
  EXPECT_THAT(done.error,
              HasSubstr("cublasSgemm failed 2 times, first: CUBLAS_STATUS_INVALID_VALUE (m is -1)"));
  EXPECT_THAT(done.error, HasSubstr("ends 4 bytes behind its allocation of 16 bytes"));
}

TEST_F(Library, a_function_that_is_missing_is_in_the_report) {
  const fs::path file = folder_.path() / "missing.cu";
  std::ofstream(file) << R"cu(
#include <cublas_v2.h>
#include <cstdio>
extern "C" cublasStatus_t cublasCgemm3m(...);
int main() { std::printf("%s\n", cublasGetStatusName(cublasCgemm3m(0))); }
)cu";
  const Finished done = run(file);
  EXPECT_EQ(done.output, "CUBLAS_STATUS_NOT_SUPPORTED\n") << done.error;
  EXPECT_THAT(done.error, HasSubstr("not supported: cublasCgemm3m, called 1 time"));
}

TEST_F(Library, calls_are_rows_of_the_table_and_of_the_report) {
  const fs::path file = folder_.path() / "calls.cu", report = folder_.path() / "report.json";
  std::ofstream(file) << R"cu(
#include <cublas_v2.h>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {
  cublasHandle_t handle;
  float *x, sum;
  cublasCreate(&handle);
  cudaMalloc(&x, 32 * sizeof *x);
  fill<<<1, 32>>>(x);
  for (int n = 0; n < 3; ++n) cublasSasum(handle, 32, x, 1, &sum);
  return sum != 32;
}
)cu";
  const Finished done =
      tests::run_program({"run", "--json=" + report.string(), "-I", headers().string(), file.string()});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("\n1        fill"));
  EXPECT_THAT(done.error, HasSubstr("\nlibrary  cublasSasum  3"));
  const nlohmann::json calls = nlohmann::json::parse(std::ifstream(report))["library_calls"];
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0]["function"], "cublasSasum");
  EXPECT_EQ(calls[0]["calls"], 3);
  EXPECT_EQ(calls[0]["failed"], 0);
}

TEST_F(Library, what_a_library_writes_is_initialized_and_ordered_by_its_stream) {
  const fs::path file = folder_.path() / "order.cu";
  std::ofstream(file) << R"cu(
#include <cublas_v2.h>
#include <curand.h>
__global__ void add(const float* x, float* y) { y[threadIdx.x] += x[threadIdx.x]; }
int main(int count, char**) {
  curandGenerator_t generator;
  cublasHandle_t handle;
  cudaStream_t first, second;
  float *x, *y, two = 2, host[32];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, x, 32);
  add<<<1, 32>>>(x, y);  // y is uninitialized, x is not
  cudaDeviceSynchronize();
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cublasCreate(&handle);
  cublasSetStream(handle, first);
  cublasSscal(handle, 32, &two, x, 1);
  if (count > 1) cudaStreamSynchronize(first);
  cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, second);
}
)cu";
  const Finished early = run(file), late = run(file, {"waits"});
  EXPECT_THAT(early.error, HasSubstr("uninitialized"));
  EXPECT_THAT(early.error, HasSubstr("'y'"));
  EXPECT_THAT(early.error, Not(HasSubstr("'x'")));
  EXPECT_THAT(early.error, HasSubstr("what cublasSscal on stream 3 writes, and nothing makes it wait"));
  EXPECT_THAT(late.error, Not(HasSubstr("nothing makes it wait")));
}

TEST_F(Library, a_makefile_links_it_by_its_usual_name) {
  if (!fs::exists("/usr/bin/make")) GTEST_SKIP() << "make is not installed";
  std::ofstream(folder_.path() / "main.cu") << R"cu(
#include <cublas_v2.h>
#include <cstdio>
int main() {
  cublasHandle_t handle;
  int n = 2;
  float *x, two = 2, host[2] = {3, 4};
  if (cublasCreate(&handle)) return 1;
  cudaMalloc(&x, sizeof host);
  cublasSetVector(n, sizeof *x, host, 1, x, 1);
  cublasSscal(handle, n, &two, x, 1);
  cublasGetVector(n, sizeof *x, x, 1, host, 1);
  std::printf("%g %g\n", host[0], host[1]);
}
)cu";
  std::ofstream(folder_.path() / "Makefile")
      << "run: main.cu\n\tnvcc -arch=sm_70 $< -o by_nvcc -lcublas\n\t./by_nvcc\n"
         "\tnvcc -c $< -o main.o\n\tg++ main.o -o by_compiler -L$(CUDA_HOME)/lib64 -lcublas "
         "-lcudart\n\t./by_compiler\n";
  const Finished done = tests::run_program({"run", "--", "make", "-s", "-C", folder_.path().string()});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "6 8\n6 8\n");
}

}  // namespace
}  // namespace lanescope
