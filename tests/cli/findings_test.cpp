// What the command line says of kernels with mistakes: at which line, and in which words.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class Findings : public testing::Test {
 protected:
  Finished trace(const std::string& text, std::vector<std::string> words) const {
    std::ofstream(folder_ / "own.cu") << text;
    words.insert(words.begin(), {"trace", (folder_ / "own.cu").string()});
    return run_program(words);
  }
  /// The findings and notes.
  std::string found(const std::string& text, const std::vector<std::string>& words) const {
    return trace(text, words).error;
  }

  tests::TemporaryFolder folder_{"findings"};
};

TEST_F(Findings, an_index_beyond_a_shared_array_names_it_and_the_next_one) {
  EXPECT_THAT(found("__global__ void k(int* out, int n) {\n"
                    "  __shared__ int bins[32], rest[32];\n"
                    "  bins[threadIdx.x] = rest[threadIdx.x] = 1;\n"
                    "  __syncthreads();\n"
                    "  out[threadIdx.x] = bins[threadIdx.x + n] + rest[threadIdx.x];\n}\n",
                    {"--block", "32", "--arg", "i32[32]:zeros", "--arg", "i32:8"}),
              AllOf(HasSubstr("own.cu:5: thread (24,0,0) of block (0,0,0) reads index 32 of '"),
                    HasSubstr("in shared memory, which has 32 elements of 4 bytes, and reaches '")));
}

TEST_F(Findings, a_barrier_in_a_branch_is_named_where_it_does_not_order) {
  const auto with = [&](const std::string& barrier) {
    return found(
        "__global__ void turn(const float* in, float* out) {\n"
        "  __shared__ float tile[64];\n"
        "  tile[threadIdx.x] = in[threadIdx.x];\n" +
            barrier + "\n  out[threadIdx.x] = tile[63 - threadIdx.x];\n}\n",
        {"--block", "64", "--arg", "f32[64]:iota", "--arg", "f32[64]:none"});
  };
  EXPECT_THAT(
      with("  if (threadIdx.x < 16) __syncthreads();"),
      AllOf(HasSubstr("and the barrier at line 4 between them is not reached by all threads; move it out "
                      "of the condition"),
            Not(HasSubstr("put __syncthreads() there"))));
  EXPECT_THAT(with(""), HasSubstr("put __syncthreads() there"));
  EXPECT_EQ(with("  __syncthreads();"), "");
}

TEST_F(Findings, a_buffer_without_a_name_has_that_of_its_parameter) {
  const std::string source =
      "__global__ void k(const int* in, int* out, int n) { out[threadIdx.x] = in[threadIdx.x + n]; }\n";
  EXPECT_THAT(
      found(source, {"--block", "32", "--arg", "i32[32]:iota", "--arg", "i32[32]:none", "--arg", "i32:1"}),
      HasSubstr("reads 4 bytes at in[32], byte 128 of 'in', 4 bytes beyond its end"));
  // A name that another buffer has is not given twice: the first one has none then.
  EXPECT_THAT(
      found(source, {"--block", "32", "--arg", "i32[32]:iota", "--arg", "in=i32[32]:none", "--arg", "i32:1"}),
      HasSubstr("of 'buffer 0', 4 bytes beyond its end"));
}

TEST_F(Findings, elements_have_the_names_of_the_source) {
  const std::string racy =
      "__global__ void k(int* out) {\n"
      "  __shared__ int tile[4][33];\n"
      "  tile[threadIdx.x / 32][threadIdx.x % 32] = 1;\n"
      "  out[threadIdx.x] = tile[(threadIdx.x / 32 + 1) % 4][threadIdx.x % 32];\n}\n";
  const std::vector<std::string> words{"--block", "128", "--arg", "i32[4x32]:zeros"};
  EXPECT_THAT(found(racy, words), HasSubstr("tile[1][0], byte 132 of 'tile' in shared memory"));
  std::vector<std::string> as_json = words;
  as_json.push_back("--json");
  EXPECT_EQ(Json::parse(trace(racy, as_json).output)["hazards"][0]["element"], "tile[1][0]");
  // Of a buffer its type and shape say it.
  EXPECT_THAT(found("__global__ void k(int* out) { out[threadIdx.x + 1] = 1; }\n",
                    {"--block", "128", "--arg", "out=i32[4x32]:zeros"}),
              HasSubstr("writes 4 bytes at out[4][0], byte 512 of 'out', 4 bytes beyond its end"));
  EXPECT_THAT(found("__global__ void k(int* out, int n) {\n  __shared__ int tile[4][33];\n"
                    "  tile[threadIdx.x / 32 + n][threadIdx.x % 32] = 1;\n  __syncthreads();\n"
                    "  out[0] = tile[1][n];\n}\n",
                    {"--block", "128", "--arg", "i32[1]:zeros", "--arg", "i32:1"}),
              HasSubstr("writes tile[4][0], index 132 of 'tile' in shared memory, which has 132 elements"));
  EXPECT_THAT(found("__global__ void k(int* out) {\n  extern __shared__ int words[];\n"
                    "  words[threadIdx.x] = 1;\n  out[threadIdx.x] = words[127 - threadIdx.x];\n}\n",
                    {"--block", "128", "--shared", "512", "--arg", "i32[128]:zeros"}),
              HasSubstr("words[127], byte 508 of dynamic shared memory"));
}

TEST_F(Findings, arrays_in_a_structure_and_rows_of_one_are_one) {
  const Finished done = trace(
      "struct Both { int bins[32]; int rest[32]; };\n"
      "__device__ __noinline__ int at(const int* p, int i) { return p[i]; }\n"
      "__global__ void k(int* out, int n) {\n"
      "  __shared__ Both both; __shared__ int rows[2][32]; __shared__ int other[32];\n"
      "  both.bins[threadIdx.x] = both.rest[threadIdx.x] = rows[0][threadIdx.x] = rows[1][threadIdx.x] = 1;\n"
      "  other[threadIdx.x] = 2;\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x] = both.bins[threadIdx.x + n] + rows[0][threadIdx.x + n] + at(other, "
      "threadIdx.x);\n}\n",
      {"--block", "32", "--arg", "i32[32]:zeros", "--arg", "i32:8"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.error, "");
}

TEST_F(Findings, an_index_that_overflows_names_the_pointer) {
  EXPECT_THAT(found("__global__ void k(const float* a, float* b, int n, int m) {\n"
                    "  b[threadIdx.x] = a[n * m];\n}\n",
                    {"--block", "32", "--arg", "a=f32[1000]:iota", "--arg", "b=f32[32]:zeros", "--arg",
                     "i32:60000", "--arg", "i32:40000"}),
              HasSubstr("own.cu:2: thread (0,0,0) of block (0,0,0) reads 4 bytes 7579869184 bytes before the "
                        "start of 'a'; does an index overflow 32 bits, or come from uninitialized memory?"));
}

TEST_F(Findings, a_number_that_is_no_pointer_names_no_buffer) {
  // 512 GiB beyond the start of the only buffer.
  EXPECT_THAT(
      found("__global__ void k(unsigned long long number, float* b) {\n"
            "  b[threadIdx.x] = *reinterpret_cast<const float*>(number);\n}\n",
            {"--block", "32", "--arg", "i64:1649267441664", "--arg", "b=f32[32]:zeros"}),
      HasSubstr("reads 4 bytes at address 0x18000000000, where there is no buffer; check the pointer"));
}

TEST_F(Findings, what_happens_in_cudas_headers_is_told_at_the_persons_line) {
  const std::string text =
      "#include <cuda_pipeline.h>\n"
      "__device__ void load(float* to, const float* from) {\n"
      "  __pipeline_memcpy_async(to + threadIdx.x, from + threadIdx.x, 4);\n"
      "}\n"
      "__global__ void k(const float* in, float* out) {\n"
      "  __shared__ float s[64];\n"
      "  load(s, in); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();\n"
      "  out[threadIdx.x] = s[63 - threadIdx.x];\n"
      "  load(s, in + 64); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();\n"
      "  out[64 + threadIdx.x] = s[63 - threadIdx.x];\n}\n";
  const std::vector<std::string> words{"--block", "64", "--arg", "f32[128]:iota", "--arg", "f32[128]:zeros"};
  EXPECT_THAT(found(text, words), AllOf(HasSubstr("own.cu:3: thread"), HasSubstr("reads at line 8")));
  std::vector<std::string> as_json = words;
  as_json.emplace_back("--json");
  const Json hazard = Json::parse(trace(text, as_json).output)["hazards"][0];
  EXPECT_EQ(hazard["line"], 3);
  ASSERT_EQ(hazard["called_from"].size(), 1u);
  EXPECT_EQ(hazard["called_from"][0]["line"], 9);
  EXPECT_THAT(hazard["in_header"]["file"], HasSubstr("cuda_pipeline"));
  EXPECT_EQ(hazard["other"]["line"], 8);
  EXPECT_TRUE(hazard["other"]["called_from"].empty());
  EXPECT_FALSE(hazard["other"].contains("in_header"));
}

TEST_F(Findings, a_wait_a_barrier_and_a_fence_are_told_apart) {
  const std::string copies =
      "#include <cuda_pipeline.h>\n"
      "__global__ void k(const float* in, float* out) {\n"
      "  __shared__ float row[32];\n"
      "  if (threadIdx.y == 0) __pipeline_memcpy_async(&row[threadIdx.x], &in[threadIdx.x], 4);\n"
      "  __pipeline_commit();\n"
      "  __syncthreads();\n"
      "  {}out[threadIdx.y * 32 + threadIdx.x] = row[threadIdx.x];\n}\n";
  const auto with = [&](const std::string& what) {
    return copies.substr(0, copies.find("{}")) + what + copies.substr(copies.find("{}") + 2);
  };
  const std::vector<std::string> words{"--block", "32,4", "--arg", "f32[32]:iota", "--arg", "f32[128]:zeros"};
  EXPECT_THAT(
      found(with(""), words),
      AllOf(HasSubstr("own.cu:7: "), HasSubstr("its own copy at line 4 to there is under way; no wait has "
                                               "followed it: __pipeline_wait_prior(0) is missing")));
  EXPECT_THAT(found(with("__pipeline_wait_prior(0); "), words),
              AllOf(HasSubstr("own.cu:7: "),
                    HasSubstr("copies at line 4, which it waits for only after the barrier; "
                              "__pipeline_wait_prior(0) is missing before it, or a barrier after the wait")));
  EXPECT_EQ(found(with("__pipeline_wait_prior(0); __syncthreads(); "), words), "");
  const std::string turns =
      "__global__ void k(float* sum, int* turn) {\n"
      "  if (threadIdx.x == 0) while (atomicAdd(turn, 0) != blockIdx.x) {}\n"
      "  __syncthreads();\n"
      "  sum[threadIdx.x] += 1;\n"
      "FENCE"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) atomicExch(turn, blockIdx.x + 1);\n}\n";
  const auto turns_with = [&](const std::string& what) {
    return turns.substr(0, turns.find("FENCE")) + what + turns.substr(turns.find("FENCE") + 5);
  };
  const std::vector<std::string> in_turn{"--grid",        "4",     "--block",     "64", "--arg",
                                         "f32[64]:zeros", "--arg", "i32[1]:zeros"};
  EXPECT_THAT(found(turns_with(""), in_turn),
              AllOf(HasSubstr("own.cu:4: "), HasSubstr("__threadfence() is missing before it")));
  EXPECT_EQ(trace(turns_with("  __threadfence();\n"), in_turn).status, 0);
}

TEST_F(Findings, the_header_of_a_shuffle_is_not_the_line_that_is_told) {
  EXPECT_THAT(found("__global__ void k(int* out) {\n"
                    "  int v = threadIdx.x;\n"
                    "  v = __shfl_sync(0x1f, v, 0);\n"
                    "  out[threadIdx.x] = v;\n}\n",
                    {"--block", "32", "--arg", "i32[32]:zeros"}),
              HasSubstr("own.cu:3: thread (5,0,0) of block (0,0,0) executes shfl.sync, whose member mask"));
}

TEST_F(Findings, a_barrier_that_half_a_warp_goes_around_is_named) {
  const Finished done = trace(
      "__global__ void k(float* o) {\n"
      "  __shared__ float m[32];\n"
      "  // odd threads go around it\n"
      "  if (threadIdx.x % 2 == 0) {\n"
      "    m[threadIdx.x] = o[threadIdx.x];\n"
      "    __syncthreads();\n"
      "    m[threadIdx.x ^ 1] = 1;\n"
      "  }\n"
      "  o[threadIdx.x] = m[threadIdx.x];\n}\n",
      {"--block", "32", "--arg", "f32[32]:iota"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error,
              HasSubstr("own.cu:6: thread (0,0,0) of block (0,0,0) reaches the barrier with 16 of the "
                        "32 threads of its block"));
  // Who returns before all barriers is let off, with a note.
  const Finished early = trace(
      "__global__ void k(float* o, int n) {\n"
      "  __shared__ float m[64];\n"
      "  if (threadIdx.x >= n) return;\n"
      "  for (int k = 0; k < 3; ++k) {\n"
      "    m[threadIdx.x] = o[threadIdx.x];\n"
      "    __syncthreads();\n"
      "    o[threadIdx.x] = m[n - 1 - threadIdx.x];\n"
      "    __syncthreads();\n"
      "  }\n}\n",
      {"--block", "64", "--arg", "f32[64]:iota", "--arg", "i32:50"});
  EXPECT_EQ(early.status, 0) << early.error;
  EXPECT_THAT(early.error, AllOf(HasSubstr("own.cu:6: note: "), HasSubstr("with 50 of the 64 threads")));
}

TEST_F(Findings, arrays_that_overlap_and_types_that_differ_are_notes) {
  const Finished overlap = trace(
      "__global__ void k(int* a) {\n"
      "  extern __shared__ int first[];\n"
      "  extern __shared__ int second[];\n"
      "  first[threadIdx.x] = a[threadIdx.x] + 1;\n"
      "  second[threadIdx.x] = a[threadIdx.x];\n"
      "  a[threadIdx.x] = first[threadIdx.x] - second[threadIdx.x];\n}\n",
      {"--block", "32", "--shared", "256", "--arg", "i32[32]:iota"});
  EXPECT_EQ(overlap.status, 0) << overlap.error;
  EXPECT_THAT(overlap.error, AllOf(HasSubstr("own.cu:5: note: "), HasSubstr("begins at the same address")));
  const Finished types = trace(
      "__global__ void k(const float* x, float* y) {\n"
      "  y[threadIdx.x] = 2 * x[threadIdx.x];\n}\n",
      {"--block", "32", "--arg", "x=f64[64]:iota", "--arg", "y=f32[64]:zeros"});
  EXPECT_EQ(types.status, 0) << types.error;
  EXPECT_THAT(types.error,
              HasSubstr("own.cu:2: note: thread (0,0,0) of block (0,0,0) reads 'x' through a const "
                        "float*, and the buffer was given with elements of f64"));
}

TEST_F(Findings, neighbors_off_a_sector_are_not_uncoalesced) {
  const Finished done = trace(
      "__global__ void k(const char* x, float* y) {\n"
      "  y[threadIdx.x] = ((const float*)(x + 16))[threadIdx.x];\n}\n",
      {"--block", "256", "--arg", "u8[2048]:iota", "--arg", "f32[256]:zeros"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, AllOf(HasSubstr("1.25x: starts within a sector"), Not(HasSubstr("uncoalesced"))));
}

TEST_F(Findings, tickets_as_addresses_depend_on_the_order_of_blocks) {
  const Finished done = trace(
      "__global__ void k(int* head, int* out) {\n"
      "  if (threadIdx.x % 32 > blockIdx.x % 29) return;\n"
      "  out[atomicAdd(head, 1)] = blockIdx.x;\n}\n",
      {"--grid", "64", "--block", "96", "--arg", "i32[1]:zeros", "--arg", "i32[8192]:zeros"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("the counts of line 3 depend on which block comes first"));
}

TEST_F(Findings, a_search_that_sets_levels_is_not_accused) {
  const auto search = [](const std::string& value) {
    return "__global__ void search(int* level, int* changed, int n, int now) {\n"
           "  const int v = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (v < n && level[v] == now)\n"
           "    for (int e = 1; e <= 2; ++e) {\n"
           "      const int w = (2 * v + e) % n;\n"
           "      if (level[w] == -1) {\n"
           "        level[w] = " +
           value +
           ";\n"
           "        *changed = 1;\n      }\n    }\n}\n";
  };
  const std::vector<std::string> words{
      "--grid",       "4",     "--block", "32",    "--arg", "i32[128]:fill(-1)", "--arg",
      "i32[1]:zeros", "--arg", "i32:128", "--arg", "i32:-1"};
  const Finished passed = trace(search("now + 1"), words);
  EXPECT_EQ(passed.status, 0) << passed.error;
  EXPECT_THAT(passed.error, HasSubstr("that is fine if the test has one result for the value before"));
  EXPECT_EQ(trace(search("v"), words).status, 1) << "which of the values stays?";
}

TEST_F(Findings, another_reader_of_the_warp_is_not_the_thread_itself) {
  const std::string text =
      "__global__ void k(int* x) {\n"
      "  const int v = x[threadIdx.x];\n"
      "  if (threadIdx.x == 0)\n"
      "    if (x[1] == 1)\n"
      "      x[1] = v + 5;\n"
      "  x[threadIdx.x + 32] = v;\n}\n";
  EXPECT_THAT(found(text, {"--block", "32", "--arg", "x=i32[64]:iota"}),
              HasSubstr("own.cu:5: thread (0,0,0) of block (0,0,0) writes x[1], byte 4 of 'x', where another "
                        "thread of the warp reads at line 2, and only lanes"));
}

TEST_F(Findings, functions_that_call_each_other_without_end_are_a_recursion) {
  std::ofstream(folder_ / "cycle.ptx")
      << ".version 8.5\n.target sm_90\n.address_size 64\n"
         ".func g();\n.func f() { call g; ret; }\n.func g() { call f; ret; }\n"
         ".visible .entry k() { call f; ret; }\n";
  const Finished done = run_program({"trace", (folder_ / "cycle.ptx").string(), "--block", "1"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, testing::AnyOf(HasSubstr("recursion"), HasSubstr("stack overflow")));
}

}  // namespace
}  // namespace lanescope
