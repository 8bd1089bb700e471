// A file whose launch is not given: what its text says counts, what is guessed grows where it is too small,
// and what is found then is a question that is no failure.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class Guess : public testing::Test {
 protected:
  /// `words`: the options after the file.
  Finished run(const std::string& text, std::vector<std::string> words = {},
               const std::string& verb = "trace") {
    std::ofstream(folder_ / "mine.cu") << text;
    words.insert(words.begin(), {verb, (folder_ / "mine.cu").string()});
    if (verb != "kernels") words.emplace_back("--kernels-only");
    return run_program(words);
  }
  tests::TemporaryFolder folder_{"guess"};
};

TEST_F(Guess, sizes_are_those_that_the_program_allocates) {
  // 3 blocks of one thread walk over 8 * 1024 numbers.
  const Finished done = run(R"(#define COUNT (8 * 1024)
__global__ void sum(const int* from, int* to) {
  for (int i = blockIdx.x; i < COUNT; i += gridDim.x) to[i] += from[i];
}
int main() {
  int *from, *to;
  cudaMalloc((void**)&from, COUNT * sizeof(int));
  cudaMalloc(&to, sizeof(*to) * COUNT);
  sum<<<3, 1>>>(from, to);
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--grid 3 --block 1 --arg from=i32[8192]:iota --arg to=i32[8192]:iota"));
  EXPECT_THAT(done.error, HasSubstr("the launch is the host code's"));
}

TEST_F(Guess, sizes_may_be_those_of_a_vector_or_of_a_copy) {
  const Finished done = run(R"(#include <vector>
__global__ void k(double* a, const float* b) { a[threadIdx.x] = b[threadIdx.x]; }
void check(int);
int main() {
  const size_t n = 96;
  std::vector<float> host(n / 2, 1.0f);
  double* a = new double[n];
  float* b;
  check(reserve(&b));
  cudaMemcpy(b, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  k<<<1, 32>>>(a, b);
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--arg a=f64[96]:zeros --arg b=f32[48]:iota"));
}

TEST_F(Guess, a_guessed_buffer_grows_to_what_the_kernel_needs) {
  const std::string text = R"(__global__ void rows(const float* m, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (i < n)
    for (int j = 0; j < n; ++j)
      s += m[i * n + j];
  if (i < n) out[i] = s;
}
)";
  const Finished done = run(text);
  EXPECT_EQ(done.status, 0) << done.error;
  // 1024 x 1024 floats.
  EXPECT_THAT(done.error, HasSubstr("note: `m`: 4 MiB, as line 6 needs"));
  EXPECT_THAT(done.error, HasSubstr("--arg m=f32[1048576]:iota --arg out=f32[1024]:zeros --arg n=i32:1024"));
  EXPECT_THAT(done.error, Not(HasSubstr("question")));
  const Finished model = run(text, {"--device", "gt200"}, "model");
  EXPECT_EQ(model.status, 0) << model.error;
  const Finished plot = run(text, {"--figure", "sectors", "-o", (folder_ / "s.svg").string()}, "plot");
  EXPECT_EQ(plot.status, 0) << plot.error;
}

TEST_F(Guess, what_a_person_gives_does_not_grow) {
  const std::string text = "__global__ void k(float* x) {\n  x[threadIdx.x * 2] = 1;\n}\n";
  const Finished guessed = run(text, {"--block", "32"});
  EXPECT_EQ(guessed.status, 0) << guessed.error;
  EXPECT_THAT(guessed.error, HasSubstr("`x`: 252 bytes, as line 2 needs"));
  const Finished given = run(text, {"--block", "32", "--arg", "x=f32[32]:zeros"});
  EXPECT_EQ(given.status, 1);
  EXPECT_THAT(given.error, HasSubstr("beyond its end"));
  EXPECT_THAT(given.error, Not(HasSubstr("question")));
}

TEST_F(Guess, shared_memory_is_that_of_the_block_though_the_grid_is_unknown) {
  const Finished done = run(R"(__global__ void turn(float* a, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0.f;
  __syncthreads();
  if (i < n) a[i] = s[blockDim.x - 1 - threadIdx.x];
}
extern "C" void solve(float* a, int n) {
  int threads = 128;
  turn<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(a, n);
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--grid 4 --block 128 --shared 512"));
  EXPECT_THAT(done.error, Not(HasSubstr("question")));
}

TEST_F(Guess, shared_memory_of_an_unknown_block_follows_the_guess) {
  const Finished done = run(R"(__global__ void k(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x + 1] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x + 1];
}
void go(float* x, int threads) { k<<<1, threads, (threads + 1) * sizeof(float)>>>(x); }
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--block 256 --shared 1028"));
}

TEST_F(Guess, dynamic_shared_memory_grows) {
  const Finished done =
      run("__global__ void k(float* x) {\n  extern __shared__ float s[];\n"
          "  s[threadIdx.x] = x[threadIdx.x];\n  x[threadIdx.x] = s[threadIdx.x];\n}\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("dynamic shared memory: 1 KiB, as line 3 needs"));
}

TEST_F(Guess, a_pointer_into_a_buffer_begins_where_the_host_code_says) {
  const Finished done = run(R"(#define HALO 2
__global__ void mean(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int d = -HALO; d <= HALO; ++d) s += in[i + d];
  out[i] = s;
}
int main() {
  const int n = 512;
  float *in, *out;
  cudaMalloc(&in, (n + 2 * HALO) * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  mean<<<n / 128, 128>>>(in + HALO, out);
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--arg in=f32[516]:iota+8 --arg out=f32[512]:zeros"));
}

TEST_F(Guess, what_no_size_explains_is_a_question) {
  const Finished done = run("__global__ void k(float* x) {\n  x[(int)threadIdx.x - 1] = 1;\n}\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("mine.cu:2: question: thread (0,0,0) of block (0,0,0) writes"));
  EXPECT_THAT(done.error, HasSubstr("the launch is a guess: does it happen with yours?"));
}

TEST_F(Guess, a_finding_with_the_launch_of_the_host_code_is_an_accusation) {
  const std::string text = R"(__global__ void k(float* x) {
  x[threadIdx.x + 1] = 1;
}
int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  k<<<1, 32>>>(x);
}
)";
  const Finished done = run(text);
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("beyond its end"));
  EXPECT_THAT(done.error, Not(HasSubstr("question")));
}

TEST_F(Guess, an_index_that_the_kernel_reads_depends_on_the_guessed_contents) {
  const Finished done = run(R"(__global__ void count(const int* which, int* bins) {
  atomicAdd(&bins[which[threadIdx.x]], 1);
}
int main() {
  int *which, *bins;
  cudaMalloc(&which, 64 * sizeof(int));
  cudaMalloc(&bins, 16 * sizeof(int));
  count<<<1, 64>>>(which, bins);
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("question: thread (16,0,0)"));
}

TEST_F(Guess, a_missing_guard_is_asked_for) {
  const Finished missing =
      run("__global__ void k(float* x, int n) {\n  x[blockIdx.x * blockDim.x + threadIdx.x] = n;\n}\n");
  EXPECT_EQ(missing.status, 0) << missing.error;
  EXPECT_THAT(
      missing.error,
      HasSubstr(
          "mine.cu:2: question: thread (251,0,0) of block (3,0,0) accesses `x` beyond its end with `n` = "
          "1019, which does not fill the last block: is the guard missing, or is the size always a "
          "multiple of the block?"));
  const Finished there =
      run("__global__ void k(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + "
          "threadIdx.x;\n  if (i < n) x[i] = n;\n}\n");
  EXPECT_EQ(there.status, 0) << there.error;
  EXPECT_THAT(there.error, Not(HasSubstr("question")));
}

TEST_F(Guess, a_guard_that_is_off_by_one_is_told_apart) {
  const auto with = [&](const std::string& guard) {
    return run("__global__ void k(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
               guard + "x[i] = n;\n}\n")
        .error;
  };
  EXPECT_THAT(with("  if (i <= n) "),
              HasSubstr("does the guard let one thread too many pass, as <= in place of <"));
  EXPECT_THAT(with("  "), HasSubstr("is the guard missing"));
}

TEST_F(Guess, a_missing_guard_of_two_dimensions_is_asked_for) {
  const auto with = [&](const std::string& guard) {
    return run("__global__ void k(float* out, const float* in, int width, int height) {\n"
               "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + "
               "threadIdx.y;\n" +
               guard + "  out[y * width + x] = in[y * width + x];\n}\n")
        .error;
  };
  EXPECT_THAT(with(""),
              HasSubstr("with `width` = 251, `height` = 251, which does not fill the last block: is the "
                        "guard missing"));
  EXPECT_THAT(with("  if (x < width && y < height)\n"), Not(HasSubstr("question")));
  EXPECT_THAT(with("  if (x <= width && y <= height)\n"), HasSubstr("one thread too many"));
}

TEST_F(Guess, a_block_whose_size_is_an_argument_is_not_asked_for_a_guard) {
  EXPECT_THAT(run("__global__ void reverse(int* data, int n) {\n  extern __shared__ int kept[];\n"
                  "  kept[threadIdx.x] = data[threadIdx.x];\n  __syncthreads();\n"
                  "  data[threadIdx.x] = kept[n - threadIdx.x - 1];\n}\n")
                  .error,
              Not(HasSubstr("question")));
}

TEST_F(Guess, a_struct_with_a_vector_has_a_value_for_each_of_its_numbers) {
  const auto with = [&](const std::string& fields) {
    return run("struct Step { " + fields +
               " };\n__global__ void move(float* x, Step s) {\n  x[threadIdx.x] += s.dt * s.g.y;\n}\n")
        .error;
  };
  EXPECT_THAT(with("float dt; int n; float3 g;"), HasSubstr("s={f32:1,i32:256,f32:1,f32:1,f32:1}"));
  EXPECT_THAT(with("float dt; float2 g;"), HasSubstr("for which no value can be guessed"));
  EXPECT_THAT(with("float dt; int n; float2 g;"), HasSubstr("s={f32:1,i32:256,f32:1,f32:1}"));
}

TEST_F(Guess, a_square_tile_is_the_block) {
  const Finished done =
      run("#define TILE 32\n__global__ void turn(float* out, const float* in, int n) {\n"
          "  __shared__ float tile[TILE][TILE + 1];\n"
          "  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;\n"
          "  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];\n  __syncthreads();\n"
          "  x = blockIdx.y * TILE + threadIdx.x;\n  y = blockIdx.x * TILE + threadIdx.y;\n"
          "  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];\n}\n");
  EXPECT_THAT(done.error, AllOf(HasSubstr("--grid 8,8 --block 32,32"), Not(HasSubstr("question"))));
}

TEST_F(Guess, types_of_the_program_are_known) {
  const Finished done = run(R"(typedef float real;
using index = unsigned int;
struct Range { int begin, end; };
struct Pair { double a; int b; };
__global__ void k(const Range, real*, const index, Pair*);
int main() {
  real* x;
  Pair* p;
  const index n = 48;
  Range r = {1, 32};
  cudaMalloc(&x, n * sizeof(real));
  cudaMalloc(&p, 32 * sizeof(Pair));
  k<<<1, 32>>>(r, x, n, p);
}
__global__ void k(const Range range, real* x, const index n, Pair* pairs) {
  if (threadIdx.x < range.end) x[threadIdx.x] = pairs[threadIdx.x].b + n;
}
)");
  EXPECT_EQ(done.status, 0) << done.error;
  // A pair has 16 bytes.
  EXPECT_THAT(done.error, HasSubstr("--arg range={i32:1,i32:32} --arg x=f32[48]:zeros --arg n=u32:48 --arg "
                                    "pairs=u32[128]:iota"));
}

TEST_F(Guess, a_table_of_addresses_and_a_struct_with_some_are_refused_with_what_to_do) {
  const Finished table = run("__global__ void k(float** rows) { rows[0][threadIdx.x] = 1; }\n");
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.error, HasSubstr("'rows' has the type float**, a table of addresses, which only a "
                                     "program fills"));
  const std::string text =
      "struct Matrix { int width; float* elements; };\n"
      "__global__ void k(Matrix a) { a.elements[threadIdx.x] *= a.width; }\n";
  const Finished with_address = run(text);
  EXPECT_EQ(with_address.status, 2);
  EXPECT_THAT(with_address.error, HasSubstr("'a' has the type Matrix, which has addresses"));
  // What the sentence says to do.
  std::ofstream(folder_ / "launches.toml")
      << "file = \"mine.cu\"\n[buffers]\nx = \"f32[32]:iota\"\n[[launch]]\nkernel = \"k\"\nblock = 32\n"
         "arguments = [\"{i32:3,x}\"]\n";
  const Finished done = run_program({"trace", (folder_ / "launches.toml").string(), "--show", "x[2:4]"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, testing::ContainsRegex("6 +9"));
}

TEST_F(Guess, the_first_kernel_that_the_host_code_launches_is_run) {
  const std::string text = R"(__global__ void last(float* x) { x[threadIdx.x] += 1; }
__global__ void first(float* x) { x[threadIdx.x] = 2; }
int main() {
  float* x;
  cudaMalloc(&x, 128);
  first<<<1, 32>>>(x);
  last<<<1, 32>>>(x);
}
)";
  const Finished done = run(text);
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error,
              HasSubstr("this is 'first', which the host code launches first; --kernel NAME chooses "
                        "another: 'last'"));
  EXPECT_THAT(done.output, HasSubstr("first  grid 1 x 1 x 1  block 32 x 1 x 1"));
}

TEST_F(Guess, a_headers_kernels_come_last) {
  std::ofstream(folder_ / "more.h") << "__global__ void other(int* y) { *y = 1; }\n";
  const Finished done = run("#include \"more.h\"\n__global__ void mine(float* x) { x[threadIdx.x] = 2; }\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("mine  grid"));
}

TEST_F(Guess, a_template_that_nothing_launches_has_the_arguments_of_its_defaults) {
  const Finished done =
      run("template <class T = float, int N = 4> __global__ void fill(T* out) {\n"
          "  if (threadIdx.x < N) out[threadIdx.x] = N;\n}\n"
          "template <int N> __global__ void other(float* out) { out[N] = 0; }\n");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("fill<float, 4>  grid"));
}

TEST_F(Guess, the_names_that_are_listed_choose_a_kernel) {
  const std::string text = R"(typedef float (*Unary)(float);
__device__ float half_of(float x) { return x / 2; }
template <Unary f> __global__ void apply(float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }
__global__ void fill(unsigned char* x) { x[threadIdx.x] = 1; }
__global__ void fill(uchar4* x) { x[threadIdx.x].x = 1; }
int main() {
  float* x;
  uchar4* y;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  apply<half_of><<<1, 32>>>(x);
  fill<<<1, 16>>>(y);
}
)";
  const Finished list = run(text, {}, "kernels");
  EXPECT_THAT(list.output, HasSubstr("fill(unsigned char* x)\n"));
  EXPECT_THAT(list.output, HasSubstr("fill(uchar4* x)\n    "));  // whose launch it is
  const Finished report = run(text, {"--json"}, "kernels");
  const auto listed = nlohmann::json::parse(report.output);
  for (const auto& kernel : listed["kernels"]) {
    const std::string entry = kernel["name"] == "fill" ? "entry" : "name";  // of an overload the symbol
    const Finished done = run(text, {"--kernel", kernel[entry].get<std::string>()});
    EXPECT_EQ(done.status, 0) << kernel << done.error;
  }
  const Finished bytes = run(text, {"--kernel", "fill(unsigned char* x)"});
  EXPECT_EQ(bytes.status, 0) << bytes.error;
  EXPECT_THAT(bytes.error, HasSubstr("--arg x=u8["));
  const Finished fours = run(text, {"--kernel", "fill(uchar4*)"});
  EXPECT_EQ(fours.status, 0) << fours.error;
  EXPECT_THAT(fours.error, HasSubstr("--block 16 --arg x=u8[32x4]:"));
}

TEST_F(Guess, ptx_alone_gets_a_launch) {
  std::ofstream(folder_ / "k.ptx") << ".version 8.0\n.target sm_80\n.address_size 64\n"
                                      ".visible .entry k(.param .u64 x) {\n.reg .b64 %d<3>;\n"
                                      "ld.param.u64 %d1, [x];\ncvta.to.global.u64 %d2, %d1;\n"
                                      "st.global.u32 [%d2+64], 1;\nret;\n}\n";
  const Finished done = run_program({"trace", (folder_ / "k.ptx").string()});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.error, HasSubstr("--arg x="));
  const Finished named =
      run_program({"trace", (folder_ / "k.ptx").string(), "--kernel", "k", "--block", "32"});
  EXPECT_EQ(named.status, 0) << named.error;
  EXPECT_THAT(named.error, HasSubstr("--block 32 --arg x="));
}

}  // namespace
}  // namespace lanescope
