// Whole programs without their host code: the text, and that NVRTC takes it.

#include "compile/device_code.h"

#include "compile/compile.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// A program as they are written: host and device code share a file.
constexpr const char* kProgram = R"(#include <algorithm>
#include <iostream>
#include <vector>
#include "missing/helper.h"
#define CHECK(call) do { if ((call) != cudaSuccess) { std::cerr << "failed\n"; exit(1); } } while (0)
using namespace std;

const int kBlock = 128;
static int repeats = 3;
std::vector<float> results;

struct Options {
  std::string name;
  int n = 4;
};

template <class T>
struct Buffer {
  T* data;
  int n;
  __host__ __device__ int size() const { return n; }
  void allocate(int count) { n = count; CHECK(cudaMalloc(&data, n * sizeof(T))); }
};

__constant__ float weights[3];

__device__ float smooth(const float* a, int i) {
  return weights[0] * a[i - 1] + weights[1] * a[i] + weights[2] * a[i + 1];
}

template <class T>
__global__ void filter(Buffer<const T> in, T* out) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i > 0 && i + 1 < in.size()) out[i] = smooth(in.data, i);
}

template __global__ void filter<float>(Buffer<const float>, float*);

float reference(const std::vector<float>& a, int i) { return a[i]; }

class Timer {
  cudaEvent_t start_, stop_;
 public:
  Timer() { cudaEventCreate(&start_); cudaEventCreate(&stop_); }
  ~Timer() { cudaEventDestroy(start_); }
};

int main(int argc, char** argv) {
  Timer timer;
  for (int i = 0; i < repeats; ++i) filter<float><<<10, kBlock>>>({nullptr, 0}, nullptr);
  std::cout << R"x(})x" << '}' << "}" << std::endl;
}
)";

std::string device_text(const std::string& text) {
  const auto files = read_source_files({"k.cu", text, {}}, {}, {}, KeptTokens::All).value();
  return DeviceCode(files, {}).source().text;
}

TEST(DeviceCode, host_functions_and_variables_become_spaces) {
  EXPECT_EQ(device_text(
                "#include <vector>\nint n = 4;\n__global__ void k() {}\nint main() {\n  k<<<1, 1>>>();\n}\n"),
            "                 \n          \n__global__ void k() {}\n            \n                \n \n");
}

TEST(DeviceCode, lines_and_columns_stay) {
  const std::string before = kProgram;
  const std::string after = device_text(before);
  ASSERT_EQ(after.size(), before.size());
  for (size_t n = 0; n < before.size(); ++n) {
    if (after[n] == before[n]) continue;
    EXPECT_EQ(after[n], ' ') << n;
  }
  EXPECT_EQ(std::ranges::count(after, '\n'), std::ranges::count(before, '\n'));
}

TEST(DeviceCode, directives_inside_host_code_stay_but_includes) {
  EXPECT_EQ(device_text("void f() {\n#ifdef A\n  g();\n#define B 2\n#include <x>\n#endif\n}\n"),
            "          \n#ifdef A\n      \n#define B 2\n            \n#endif\n \n");
}

class CompileProgram : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler(tests::source_dir() / ".cache/third_party");
    if (!found) GTEST_SKIP() << "no NVRTC here: " << found.error().message;
    compiler_ = *std::move(found);
  }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }

  /// k.cu in the folder, as a person's file is compiled.
  Compilation compiled(const std::string& text, const std::vector<std::string>& folders = {}) {
    Options options;
    options.include_directories = {folder_.path()};
    for (const std::string& name : folders) options.include_directories.push_back(folder_ / name);
    return compile(*compiler_, {(folder_ / "k.cu").string(), text, {}}, options).value();
  }

  static bool has(const Compilation& compilation, std::string_view words) {
    return compilation.ptx && compilation.ptx->contains(words);
  }

  tests::TemporaryFolder folder_{"program"};
  std::optional<Compiler> compiler_;
};

TEST_F(CompileProgram, a_whole_program_is_taken_as_it_is) {
  const Compilation compilation = compiled(kProgram);
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_TRUE(has(compilation, ".entry _Z6filterIfEv6BufferIKT_EPS1_(")) << *compilation.ptx;
  // The body of smooth().
  EXPECT_TRUE(has(compilation, ".loc\t1 28 ")) << *compilation.ptx;
}

TEST_F(CompileProgram, what_compiles_as_it_is_stays_as_it_is) {
  const std::string text =
      "struct P { __device__ int f() { return 1; } };\n__global__ void k(int* a) { a[0] = P().f(); }\n";
  const Compilation alone = compile(*compiler_, {(folder_ / "k.cu").string(), text, {}}, {}).value();
  const Compilation main = compiled(text + "int main() { return 0; }\n");
  ASSERT_TRUE(alone.ptx && main.ptx) << main.log;
  EXPECT_EQ(*alone.ptx, *main.ptx);
}

TEST_F(CompileProgram, headers_are_treated_as_the_source) {
  write("common/x.h",
        "#pragma once\n#include <iostream>\n#include \"y.h\"\ninline void report() { std::cout << 1; }\n"
        "__device__ inline int one() { return first() + 0; }\n");
  write("common/y.h",
        "#pragma once\n#include <string>\nstd::string name() { return \"\"; }\n"
        "__device__ inline int first() { return 41; }\n");
  write("other/y.h",
        "#pragma once\n#include \"../common/x.h\"\n__device__ inline int second() { return 1; }\n");
  write("folders/tools/help.h",
        "#include <fstream>\nstatic std::ofstream out;\n#define DOUBLE(a) (2 * (a))\n");
  const Compilation compilation = compiled(
      "#include \"common/x.h\"\n#include \"other/y.h\"\n#include <tools/help.h>\n"
      "extern \"C\" __global__ void k(int* a) { a[0] = DOUBLE(one() + second()); }\nint main() { report(); "
      "}\n",
      {"folders"});
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_TRUE(has(compilation, "84;")) << *compilation.ptx;
}

TEST_F(CompileProgram, a_header_that_a_macro_names_is_treated_so_too) {
  write("linux.h", "#include <unistd.h>\n#define VALUE 21\nint helper() { return getpid(); }\n");
  write("other.h", "#error not this one\n");
  const Compilation compilation = compiled(
      "#ifdef __linux__\n#define SYSTEM \"linux.h\"\n#else\n#define SYSTEM \"other.h\"\n#endif\n"
      "#include SYSTEM\n__global__ void k(int* a) { a[0] = VALUE; }\nint main() { return helper(); }\n");
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_TRUE(has(compilation, ", 21;")) << *compilation.ptx;
}

TEST_F(CompileProgram, errors_are_those_of_device_code) {
  const Compilation compilation = compiled(
      "#include <vector>\nstd::vector<int> v;\n__global__ void k(int* a) {\n  a[0] = nonsense;\n}\n"
      "int main() { undeclared(); }\n");
  EXPECT_FALSE(compilation.ptx);
  EXPECT_TRUE(compilation.log.contains("k.cu(4): error: identifier \"nonsense\" is undefined"))
      << compilation.log;
  EXPECT_FALSE(compilation.log.contains("vector")) << compilation.log;
  EXPECT_FALSE(compilation.log.contains("undeclared")) << compilation.log;
}

TEST_F(CompileProgram, what_host_code_alone_uses_is_not_warned_of) {
  const Compilation compilation = compiled(
      "static __host__ __device__ int half(int a) { return a / 2; }\n__global__ void k(int* a) { a[0] = b; "
      "}\n"
      "int main() { return half(2); }\n");
  EXPECT_FALSE(compilation.log.contains("never referenced")) << compilation.log;
  EXPECT_TRUE(compilation.log.contains("identifier \"b\" is undefined")) << compilation.log;
}

TEST_F(CompileProgram, what_device_code_misses_is_told_with_why_it_was_left_out) {
  const Compilation host = compiled(
      "#include <vector>\nint scale(int a) { return a; }\n__global__ void k(int* a) { a[0] = scale(1); }\n");
  EXPECT_TRUE(host.log.contains("k.cu(2): 'scale' was left out, since only host code can use it"))
      << host.log;
  const Compilation variable =
      compiled("#include <vector>\nint factor = 2;\n__global__ void k(int* a) { a[0] = factor; }\n");
  EXPECT_TRUE(variable.log.contains("k.cu(2): 'factor' was left out, since only host code can use it"))
      << variable.log;
  const Compilation type = compiled(
      "#include <string>\nstruct P {\n  std::string name;\n};\n__global__ void k(P p, int* a) { a[0] = 1; "
      "}\n");
  EXPECT_TRUE(type.log.contains("k.cu(2): 'P' was left out, since it does not compile: ")) << type.log;
  EXPECT_TRUE(type.log.contains("k.cu:3: namespace \"std\" has no member \"string\"")) << type.log;
  const Compilation header =
      compiled("#include \"math/tools.cuh\"\n__global__ void k(int* a) { a[0] = one(); }\n");
  EXPECT_TRUE(
      header.log.contains("math/tools.cuh was not found; if the kernels need it, give its folder with -I"))
      << header.log;
}

TEST_F(CompileProgram, instances_are_those_that_the_host_launches) {
  const std::string text =
      "template <int N> __global__ void one(int* a) { a[0] = N; }\n"
      "template <class T> __global__ void two(T* a) { a[0] = 1; }\n"
      "int main() { const int n = 7; float* f; one<n><<<1, 1>>>(0); two<<<1, 1>>>(f); two<Missing><<<1, "
      "1>>>(0); }\n";
  const auto with = [&](const std::string& name) {
    Options options;
    options.launched_instances_of = name;
    return compile(*compiler_, {(folder_ / "k.cu").string(), text, {}}, options).value();
  };
  const Compilation all = with("");
  ASSERT_TRUE(all.ptx) << all.log;
  EXPECT_TRUE(has(all, ".entry _Z3oneILi7EEvPi(")) << *all.ptx;
  EXPECT_TRUE(has(all, ".entry _Z3twoIfEvPT_(")) << *all.ptx;
  const Compilation one = with("one");
  EXPECT_TRUE(has(one, "_Z3oneILi7EEvPi"));
  EXPECT_FALSE(has(one, "_Z3twoIfEvPT_"));
  EXPECT_TRUE(has(with("mistyped"), "_Z3twoIfEvPT_"));
}

TEST_F(CompileProgram, unannotated_constants_and_classes_of_headers_are_for_kernels_too) {
  write("folders/lib/layout.h",
        "#pragma once\nnamespace lib {\nconstexpr int product(int a, int b) { return a * b; }\n"
        "template <int N> struct Shape { static constexpr int size() { return N; } };\n}\n");
  const Compilation compilation = compiled(
      "#include <lib/layout.h>\nextern \"C\" __global__ void k(int* a) {\n"
      "  a[0] = lib::product(a[1], lib::Shape<3>::size());\n}\n",
      {"folders"});
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_TRUE(has(compilation, ", 3;")) << *compilation.ptx;
}

TEST_F(CompileProgram, the_host_is_a_linux_machine) {
  const Compilation compilation = compiled(
      "#if defined(__linux__)\n#include <unistd.h>\n#else\n#error unknown system\n#endif\n"
      "__global__ void k(int* a) { a[0] = 1; }\n");
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST_F(CompileProgram, types_of_the_runtime_and_names_of_the_host_are_known) {
  const Compilation compilation = compiled(
      "#include <cstdio>\n#include <cublas_v2.h>\n#include <thrust/device_vector.h>\n"
      "struct Plan { cudaStream_t stream; cudaError_t error; dim3 grid; size_t bytes; cudaArray_t array; };\n"
      "__device__ uint half(ushort a, ulong b, uint c) { return c / 2 + a + b; }\n"
      "__global__ void k(Plan p, cudaTextureObject_t t, float* a) { a[0] = FLT_MAX + half(1, 2, p.grid.x); "
      "}\n"
      "int main() { cublasHandle_t h; thrust::device_vector<float> v; }\n");
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

/// Whatever is cut off or changed, the scan ends, and its result has the lines of the text.
TEST(DeviceCode, cut_and_changed_programs_are_no_error) {
  const std::string program = kProgram;
  const auto expect_lines = [](const std::string& text) {
    const std::string rest = device_text(text);
    EXPECT_EQ(std::ranges::count(rest, '\n'), std::ranges::count(text, '\n')) << text;
  };
  for (size_t size = 0; size < program.size(); size += 7) {
    expect_lines(program.substr(0, size));
    expect_lines(program.substr(size));
  }
  std::mt19937 random(20261122);
  SCOPED_TRACE("seed 20261122");
  const std::string marks = "{}()<>[];:#\"'\\\n/*=,%R0a_ ";
  for (int round = 0; round < 2000; ++round) {
    std::string text = program;
    for (int change = 0; change < 1 + round % 6; ++change) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = marks[random() % marks.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
      }
    }
    expect_lines(text);
  }
}

}  // namespace
}  // namespace lanescope::compile
