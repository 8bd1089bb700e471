// Kernels that launch kernels (dynamic parallelism), in a program that nvcc needs -rdc=true for.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class ChildLaunch : public tests::SourceProgramTest {
 protected:
  tests::Finished run(const std::string& main) const {
    const std::string source = folder_.path() / "main.cu";
    std::ofstream(source) << "#include <cstdio>\n" << main;
    return tests::run_program({"run", source});
  }
  tests::TemporaryFolder folder_{"child-launch"};
};

/// Each of 4 threads launches 2 threads, of which each adds 10 and its number: 4 * (10 + 11).
TEST_F(ChildLaunch, launches_of_a_kernel_are_launches_of_the_report) {
  const tests::Finished done = run(R"cu(
__global__ void child(int* sum, char, long more) { atomicAdd(sum, static_cast<int>(more) + threadIdx.x); }
__global__ void parent(int* sum) { child<<<1, 2>>>(sum, 'c', 10); }
int main() {
  int *sum, host = 0;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  parent<<<1, 4>>>(sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d, %s\n", host, cudaGetErrorString(cudaGetLastError()));
}
)cu");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "84, no error\n");
  EXPECT_THAT(done.error, ContainsRegex("child +4 +1, 2 "));
  EXPECT_THAT(done.error, HasSubstr("compiled with -rdc=true"));
}

/// A tail launch runs after the others, and what a child launches before its sibling's turn is over.
TEST_F(ChildLaunch, tails_come_last_and_children_may_have_children) {
  const tests::Finished done = run(R"cu(
__global__ void say(const char* name) { printf("%s ", name); }
__global__ void middle(int n) {
  printf("middle%d ", n);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>("tail-of-middle");
  say<<<1, 1>>>("leaf");
}
__global__ void top() {
  say<<<1, 1, 0, cudaStreamTailLaunch>>>("tail");
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  middle<<<1, 1, 0, stream>>>(1);
  middle<<<1, 1, 0, cudaStreamFireAndForget>>>(2);
  cudaStreamDestroy(stream);
}
int main() {
  top<<<1, 1>>>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
)cu");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "middle1 leaf tail-of-middle middle2 leaf tail-of-middle tail no error\n");
}

/// 3 bytes of 5 are copied to the front, then the last byte is set.
TEST_F(ChildLaunch, copies_and_fills_of_a_kernel_are_in_its_order) {
  const tests::Finished done = run(R"cu(
__global__ void show(const char* text) { printf("%s\n", text); }
__global__ void parent(char* text) {
  show<<<1, 1>>>(text);
  cudaMemcpyAsync(text, text + 2, 3, cudaMemcpyDeviceToDevice, 0);
  show<<<1, 1>>>(text);
  cudaMemsetAsync(text + 4, 'x', 1, 0);
  show<<<1, 1>>>(text);
}
int main() {
  char* text;
  cudaMalloc(&text, 6);
  cudaMemcpy(text, "abcde", 6, cudaMemcpyHostToDevice);
  parent<<<1, 1>>>(text);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
)cu");
  EXPECT_EQ(done.output, "abcde\ncdede\ncdedx\nno error\n") << done.error;
  EXPECT_THAT(done.error, HasSubstr("cudaMemcpyAsync_by_kernel"));
}

TEST_F(ChildLaunch, a_wrong_child_and_a_full_heap_are_errors_with_their_reason) {
  const tests::Finished wrong = run(R"cu(
__global__ void child(int* p) { p[1000] = 1; }
__global__ void parent(int* p) { child<<<1, 1>>>(p); }
int main() {
  int* p;
  cudaMalloc(&p, 64);
  parent<<<1, 1>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  EXPECT_EQ(wrong.output, "cudaErrorIllegalAddress\n");
  EXPECT_THAT(wrong.error, HasSubstr("main.cu:3"));
  const tests::Finished full = run(R"cu(
__global__ void child() {}
__global__ void parent() { child<<<1, 1>>>(); }
int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 256);
  parent<<<1, 32>>>();
  std::printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
}
)cu");
  EXPECT_EQ(full.output, "1\n");
  EXPECT_THAT(full.error, HasSubstr("cudaLimitMallocHeapSize"));
}

}  // namespace
}  // namespace lanescope
