// What is found in a person's whole program, as it is told: with the line, the element, and the memory that
// is meant.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class ProgramFindings : public tests::SourceProgramTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  tests::TemporaryFolder folder_{"program-findings"};
};

TEST_F(ProgramFindings, a_bug_is_told_with_its_line) {
  const Finished done =
      run_program({"trace", write("beyond.cu",
                                  "__global__ void set(int* p) {\n  p[threadIdx.x] = 1;\n}\n"
                                  "int main() { int* p; cudaMalloc(&p, 64); set<<<1, 32>>>(p); }\n")});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("beyond.cu:2"));
  EXPECT_THAT(done.error, HasSubstr("beyond its end (it has 64)"));
}

// Only some addresses can be mapped on the host and the device alike: small allocations share them.
TEST_F(ProgramFindings, a_list_of_many_managed_nodes_is_followed) {
  const Finished done = run_program({"run", write("list.cu", R"cu(#include <cstdio>
struct Node {
  Node* next;
  int value;
};
__global__ void add(const Node* node, int* sum) {
  for (; node != nullptr; node = node->next) *sum += node->value;
}
int main() {
  constexpr int kNodes = 300;
  Node *first = nullptr, *made[kNodes];
  int *sum, failed = 0, errors = 0;
  cudaMallocHost(&sum, sizeof *sum);
  for (int round = 0; round < 2; ++round) {
    *sum = 0;
    first = nullptr;
    for (int n = 0; n < kNodes; ++n) {
      failed += cudaMallocManaged(&made[n], sizeof(Node)) != cudaSuccess;
      *made[n] = {first, n};
      first = made[n];
    }
    add<<<1, 1>>>(first, sum);
    cudaDeviceSynchronize();
    std::printf("%d ", *sum);
    for (int n = 0; n < kNodes; ++n) errors += cudaFree(made[n]) != cudaSuccess;
  }
  errors += cudaFree(made[0]) == cudaSuccess;
  std::printf("%d %d\n", failed, errors);
}
)cu")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "44850 44850 0 0\n") << done.error;  // 0 + 1 + .. + 299
}

TEST_F(ProgramFindings, a_use_after_cudaFree_is_told_as_that) {
  const Finished done = run_program(
      {"run", write("freed.cu",
                    "__global__ void set(int* p) {\n  p[threadIdx.x] = 1;\n}\n"
                    "int main() {\n  int *p, *q;\n  cudaMalloc(&p, 256);\n  cudaMalloc(&q, 256);\n"
                    "  set<<<1, 32>>>(p);\n  cudaFree(p);\n  set<<<1, 32>>>(q);\n"
                    "  set<<<1, 32>>>(p + 1);\n}\n")});
  // The first lane that is named has its own offset; one launch came before the memory was freed.
  EXPECT_THAT(done.error, HasSubstr("freed.cu:2"));
  EXPECT_THAT(done.error, HasSubstr("where there is no buffer: it is byte 4 of 256 that were freed after "
                                    "launch 1; free them after their last use"));
}

TEST_F(ProgramFindings, an_address_of_the_host_is_told_as_that_among_several_buffers) {
  // A small block of new lies next to the program, whose addresses begin with 0x55 or 0x56.
  const Finished done =
      run_program({"run", write("mixed.cu",
                                "struct Scale { const int* by; };\n"
                                "__global__ void scale(Scale s, const int* in, int* out) {\n"
                                "  out[threadIdx.x] = in[threadIdx.x] * s.by[threadIdx.x];\n}\n"
                                "int main() {\n  int *in, *out, *by, *host = new int[32]{};\n"
                                "  cudaMalloc(&in, 128);\n  cudaMalloc(&out, 128);\n  cudaMalloc(&by, 128);\n"
                                "  cudaMemset(in, 0, 128);\n  scale<<<1, 32>>>({host}, in, out);\n}\n")});
  EXPECT_THAT(done.error, HasSubstr("mixed.cu:3"));
  EXPECT_THAT(done.error, HasSubstr("is it an address of the host? allocate the memory with cudaMalloc"));
}

TEST_F(ProgramFindings, a_finding_names_elements_of_shared_arrays) {
  const Finished done = run_program(
      {"run",
       write("tile.cu",
             "#define SIDE 16\n__global__ void turn(float* out) {\n  __shared__ float tile[SIDE][SIDE];\n"
             "  tile[threadIdx.y][threadIdx.x] = 1;\n  __syncthreads();\n"
             "  out[threadIdx.y * SIDE + threadIdx.x] = tile[threadIdx.x + 1][threadIdx.y];\n}\n"
             "int main() { float* out; cudaMalloc(&out, 1024); turn<<<1, dim3(SIDE, SIDE)>>>(out); }\n")});
  EXPECT_THAT(done.error, HasSubstr("tile.cu:6: thread (15,0,0) of block (0,0,0) reads tile[16][0]"));
}

size_t times(const std::string& part, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(ProgramFindings, a_bug_is_told_once_on_each_stream) {
  const std::string file = write("beyond.cu",
                                 "__global__ void set(int* p) {\n  p[threadIdx.x] = 1;\n}\n"
                                 "int main() { int* p; cudaMalloc(&p, 64); set<<<1, 32>>>(p); }\n");
  const std::string sentence = "beyond its end (it has 64)";
  for (const char* verb : {"trace", "run"})
    EXPECT_EQ(times(sentence, run_program({verb, file}).error), 1u) << verb;
  // The report is alone on standard output: what the driver says at once stays.
  const Finished json = run_program({"run", file, "--json"});
  EXPECT_EQ(times(sentence, json.error), 1u);
  // A program whose errors go elsewhere has the sentence there, and the report has it too.
  const std::string command = tests::lanescope_program() + " run -- /bin/sh -c '" +
                              tests::lanescope_program() + " trace " + file + " 2>" +
                              std::string(folder_ / "inner") + "'";
  const Finished outer = tests::run_program_in({.program = "/bin/sh"}, {"-c", command});
  std::ifstream stream(folder_ / "inner");
  EXPECT_EQ(times(sentence, std::string{std::istreambuf_iterator<char>(stream), {}}), 1u) << outer.error;
}

}  // namespace
}  // namespace lanescope
