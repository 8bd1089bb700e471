#include "compile/host_launches.h"

#include <random>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

using Texts = std::vector<std::string>;

std::vector<HostLaunch> launches(const std::string& text, std::vector<std::string> defines = {}) {
  Options options;
  options.defines = std::move(defines);
  const SourceFiles files = read_source_files({"k.cu", text, {}}, options, {}, KeptTokens::All).value();
  return read_host_code(files, find_kernels(files), options).launches;
}

/// Of a launch with this grid, in a function of these statements.
std::optional<Dim3> grid(const std::string& expression, const std::string& statements = "",
                         const std::string& before = "", std::vector<std::string> defines = {}) {
  const auto found = launches(before + "\nint main(int argc, char** argv) {\n" + statements + "\nk<<<" +
                                  expression + ", 32>>>();\n}\n",
                              std::move(defines));
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? std::nullopt : found.front().grid_value;
}

TEST(HostLaunches, a_launch_has_its_expressions_as_written) {
  const auto found = launches(
      "__global__ void k(int* a, int n) {}\n"
      "int main() {\n"
      "  int* d_a;\n"
      "  k<<<dim3(4, 2), 8 * 32, 2 * sizeof(float), stream>>>(d_a, f(1, 2));\n"
      "  k<<<1,\n      64 /* threads */>>>(d_a, 3);\n"
      "}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernel, "k");
  EXPECT_EQ(found[0].grid, "dim3(4, 2)");
  EXPECT_EQ(found[0].block, "8 * 32");
  EXPECT_EQ(found[0].shared_bytes, "2 * sizeof(float)");
  EXPECT_EQ(found[0].stream, "stream");
  EXPECT_EQ(found[0].arguments, (Texts{"d_a", "f(1, 2)"}));
  EXPECT_EQ(found[0].where, (Location{"k.cu", 4}));
  EXPECT_EQ(found[0].grid_value, (Dim3{4, 2, 1}));
  EXPECT_EQ(found[0].block_value, (Dim3{256, 1, 1}));
  EXPECT_EQ(found[0].shared_bytes_value, 8u);
  EXPECT_EQ(found[1].block, "64");
  EXPECT_EQ(found[1].where.line, 5);
  EXPECT_EQ(found[1].shared_bytes_value, 0u);
}

TEST(HostLaunches, shifts_and_kernels_that_launch_are_none) {
  EXPECT_TRUE(launches("int f(int a) { return a << 3 >> 2; }\n// k<<<1, 1>>>();\n").empty());
  EXPECT_TRUE(launches("__global__ void g() {}\n__global__ void k() { g<<<1, 1>>>(); }\n").empty());
}

TEST(HostLaunches, calls_of_the_runtime_launch_too) {
  const auto found = launches(
      "template <int N> __global__ void k(int* a) {}\n__global__ void g(int* a) {}\nint main() {\n"
      "  cudaLaunchCooperativeKernel((void*)k<4>, dim3(2, 3), 64, args, 4 * 8, stream);\n"
      "  cudaLaunchKernel(&g, 5, block, args);\n  cudaLaunchKernel();\n  cudaLaunchKernel(\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernel, "k<4>");
  EXPECT_EQ(found[0].instances, Texts{"k<4>"});
  EXPECT_EQ(found[0].grid_value, (Dim3{2, 3, 1}));
  EXPECT_EQ(found[0].shared_bytes_value, 32u);
  EXPECT_EQ(found[0].stream, "stream");
  EXPECT_EQ(found[0].arguments, Texts{"args"});
  EXPECT_EQ(found[1].kernel, "g");
  EXPECT_EQ(found[1].block, "block");
}

TEST(HostLaunches, constants_have_values) {
  EXPECT_EQ(grid("N / 32", "", "#define N (1 << 10)"), (Dim3{32, 1, 1}));
  EXPECT_EQ(grid("N / 32", "", "", {"N=64"}), (Dim3{2, 1, 1}));
  EXPECT_EQ(grid("n", "const int m = 5, n = 3 * m;"), (Dim3{15, 1, 1}));
  EXPECT_EQ(grid("(n + 255) / 256", "int n = 50000;"), (Dim3{196, 1, 1}));
  EXPECT_EQ(grid("g", "dim3 b(16, 8); dim3 g(1024 / b.x, 64 / b.y, 2);"), (Dim3{64, 8, 2}));
  EXPECT_EQ(grid("g", "dim3 g; g = dim3(3, 4);"), (Dim3{3, 4, 1}));
  EXPECT_EQ(grid("g", "dim3 g{3, 4};"), (Dim3{3, 4, 1}));
  EXPECT_EQ(grid("g", "dim3 g = 7;"), (Dim3{7, 1, 1}));
  EXPECT_EQ(grid("kBlocks", "", "namespace a { constexpr int kBlocks = 12; }"), (Dim3{12, 1, 1}));
  EXPECT_EQ(grid("true ? 2 : 3"), (Dim3{2, 1, 1}));
  EXPECT_EQ(grid("0x10 + 010 + 1'0 - 7 % 4 * 2"), (Dim3{28, 1, 1}));  // 16 + 8 + 10 - 6
  EXPECT_EQ(grid("(int)ceil((float)n / 256)", "int n = 1000;"), (Dim3{4, 1, 1}));
  EXPECT_EQ(grid("std::min(n, 65535)", "size_t n = 70000;"), (Dim3{65535, 1, 1}));
}

TEST(HostLaunches, functions_and_macros_of_one_expression_have_values) {
  EXPECT_EQ(grid("CEIL_DIV(1000, 256)", "", "#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))"),
            (Dim3{4, 1, 1}));
  EXPECT_EQ(grid("ceil_div(n, 256)", "int n = 1025;",
                 "int ceil_div(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }"),
            (Dim3{5, 1, 1}));
  EXPECT_EQ(grid("f(3)", "", "int f(int a) { int b = 2; return a * b; }"), std::nullopt);
  EXPECT_EQ(grid("f(3)", "", "int f(int a) { return f(a); }"), std::nullopt);
}

TEST(HostLaunches, what_the_text_alone_does_not_show_has_no_value) {
  EXPECT_EQ(grid("n", "int n = atoi(argv[1]);"), std::nullopt);
  EXPECT_EQ(grid("n", "int n = 4; if (argc > 1) n = 5;"), std::nullopt);
  EXPECT_EQ(grid("n", "int n = 4; n *= 2;"), std::nullopt);
  EXPECT_EQ(grid("n", "int n = 4; read(&n);"), std::nullopt);
  EXPECT_EQ(grid("n", "int n = 4; for (int i = 0; i < 3; ++i) n++;"), std::nullopt);
  EXPECT_EQ(grid("n", "int n; if (argc > 1) { n = 5; }"), std::nullopt);
  EXPECT_EQ(grid("argc", "", "const int argc = 3;"), std::nullopt);
  EXPECT_EQ(grid("n", "", "int n = 4;\nvoid change() { n = 5; }"), std::nullopt);
  EXPECT_EQ(grid("N", "", "#ifdef _A\n#define N 1\n#else\n#define N 2\n#endif"), std::nullopt);
  EXPECT_EQ(grid("N", "", "#if A > 3\n#define N 1\n#else\n#define N 2\n#endif"), std::nullopt);
  // No file defines it.
  EXPECT_EQ(grid("N", "", "#ifdef A\n#define N 1\n#else\n#define N 2\n#endif"), (Dim3{2, 1, 1}));
  EXPECT_EQ(grid("4 / n", "int n = 0;"), std::nullopt);
  EXPECT_EQ(grid("n - 5", "int n = 4;"), std::nullopt);
  EXPECT_EQ(grid("n", "dim3 n(2, 2); n.x = 3;"), std::nullopt);
}

TEST(HostLaunches, a_name_holds_in_its_scope) {
  EXPECT_EQ(grid("n", "{ int n = 3; } int n = 4;"), (Dim3{4, 1, 1}));
  EXPECT_EQ(grid("n", "int n = 4; { int n = 3; }"), (Dim3{4, 1, 1}));
  const auto found = launches(
      "const int n = 2;\nvoid f() { const int n = 3; k<<<n, 1>>>(); }\nvoid g() { k<<<n, 1>>>(); }\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].grid_value, (Dim3{3, 1, 1}));
  EXPECT_EQ(found[1].grid_value, (Dim3{2, 1, 1}));
}

constexpr const char* kReduce =
    "template <class T, int kSize, bool kExact = false>\n__global__ void reduce(const T* a, T* b) {}\n";

TEST(HostLaunches, instances_of_templates_have_numbers_for_the_names_of_the_host) {
  const auto found =
      launches(std::string(kReduce) +
               "int main() {\n  const int size = 128;\n  reduce<float, 2 * size, true><<<1, 1>>>(a, b);\n"
               "  reduce<double, 64><<<1, 1>>>(a, b);\n}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernel, "reduce<float, 2 * size, true>");
  EXPECT_EQ(found[0].instances, Texts{"reduce<float, 256, true>"});
  EXPECT_EQ(found[1].instances, Texts{"reduce<double, 64>"});
}

TEST(HostLaunches, a_launch_in_a_template_has_the_instances_of_its_calls) {
  const auto found =
      launches(std::string(kReduce) +
               "template <class T, int N> void run(T* a) {\n  reduce<T, N * 2><<<N, N>>>(a, a);\n}\n"
               "template <class T> void all(T* a) { run<T, 32>(a); run<T, 64>(a); }\n"
               "template void all<float>(float*);\nint main() { all<unsigned int>(0); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].instances, (Texts{"reduce<float, 64>", "reduce<unsigned int, 64>", "reduce<float, 128>",
                                       "reduce<unsigned int, 128>"}));
  EXPECT_EQ(found[0].grid_value, std::nullopt) << "32 and 64";
}

TEST(HostLaunches, a_launch_in_a_class_template_has_the_instances_of_the_class) {
  const auto found = launches(
      std::string(kReduce) +
      "template <typename Real> class Solver {\n  int n;\n public:\n  void first() { reduce<Real, 1><<<1, "
      "1>>>(a, a); }\n"
      "  Real second();\n};\n"
      "template <typename Real> Real Solver<Real>::second() { reduce<Real, 2><<<1, 1>>>(a, a); return 0; }\n"
      "template class Solver<float>;\nint main() { Solver<double> solver; }\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].instances, (Texts{"reduce<float, 1>", "reduce<double, 1>"}));
  EXPECT_EQ(found[1].instances, (Texts{"reduce<float, 2>", "reduce<double, 2>"}));
}

TEST(HostLaunches, types_follow_from_the_arguments) {
  const auto found = launches(
      "namespace a {\ntemplate <typename T> __global__ void scale(T* a, const T factor) {}\n}\n"
      "void f(const double* p) { a::scale<<<1, 1>>>(p, 2.0); }\n"
      "int main() { unsigned int *x, *y; a::scale<<<1, 1>>>(y, 2u); using namespace a; float* z; scale<<<1, "
      "1>>>(z, 2); }\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].instances, Texts{"a::scale<double>"});
  EXPECT_EQ(found[1].instances, Texts{"a::scale<unsigned int>"});
  EXPECT_EQ(found[2].instances, Texts{"a::scale<float>"});
}

TEST(HostLaunches, types_follow_from_elements_pointers_and_casts) {
  const auto found = launches(
      "template <class T> __global__ void k(T* a) {}\nint main() {\n"
      "  std::vector<float*> v(2); std::vector<int*> w; short* s[4]; double* d;\n"
      "  std::array<char*, 2> c; thrust::device_vector<long> t(8); void* raw;\n"
      "  k<<<1, 1>>>(v[0]);\n  k<<<1, 1>>>(w[i + 1]);\n  k<<<1, 1>>>(s[3]);\n  k<<<1, 1>>>(d + 8);\n"
      "  k<<<1, 1>>>(&d[2]);\n  k<<<1, 1>>>(c[0]);\n  k<<<1, 1>>>((unsigned char*)raw);\n"
      "  k<<<1, 1>>>(reinterpret_cast<int*>(raw));\n  k<<<1, 1>>>(thrust::raw_pointer_cast(t.data()));\n"
      "  k<<<1, 1>>>(thrust::raw_pointer_cast(&t[0]));\n  k<<<1, 1>>>(make(v).first);\n}\n");
  std::vector<Texts> instances;
  for (const HostLaunch& launch : found) instances.push_back(launch.instances);
  EXPECT_EQ(instances, (std::vector<Texts>{{"k<float>"},
                                           {"k<int>"},
                                           {"k<short>"},
                                           {"k<double>"},
                                           {"k<double>"},
                                           {"k<char>"},
                                           {"k<unsigned char>"},
                                           {"k<int>"},
                                           {"k<long>"},
                                           {"k<long>"},
                                           {}}));
}

TEST(HostLaunches, launches_on_one_line_have_an_order) {
  const auto found = launches(
      "__global__ void a() {}\n__global__ void b() {}\nint main() { b<<<1, 1>>>(); a<<<1, 1>>>(); }\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernel, "b");
  EXPECT_LT(found[0].order, found[1].order);
}

TEST(HostLaunches, templates_that_call_themselves_end) {
  const auto found =
      launches(std::string(kReduce) +
               "template <int N> void f() { reduce<int, N><<<1, 1>>>(0, 0); f<N - 1>(); g<N>(); }\n"
               "template <int N> void g() { f<N>(); }\nint main() { f<3>(); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].instances, Texts{"reduce<int, 3>"});
}

TEST(HostLaunches, cut_and_changed_text_is_no_error) {
  const std::string text =
      std::string(kReduce) +
      "#define CEIL(a, b) (((a) + (b) - 1) / (b))\nint half(int a) { return a / 2; }\n"
      "template <class T> void run(T* a, int n) {\n  dim3 g(CEIL(n, 16), half(4)), b{16, 2};\n"
      "  for (int i = 0; i < 3; ++i) reduce<T, 16><<<g, b, n ? 4 : sizeof(T), 0>>>(a, &a[i]);\n}\n"
      "int main() { int n = 1 << 4; n += 2; run<float>(nullptr, (int)ceil(n / 2.0)); }\n";
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_LE(launches(text.substr(0, size)).size(), 1u);
    EXPECT_LE(launches(text.substr(size)).size(), 1u);
  }
  std::mt19937 random(7);
  SCOPED_TRACE("seed 7");
  const std::string marks = "{}()<>[];:#\"',=*/&+-.0a_ ";
  for (int round = 0; round < 3000; ++round) {
    std::string changed = text;
    for (int change = 0; change < 1 + round % 5; ++change) {
      const size_t at = random() % changed.size();
      switch (random() % 3) {
        case 0:
          changed[at] = marks[random() % marks.size()];
          break;
        case 1:
          changed.erase(at, 1 + random() % 20);
          break;
        default:
          changed.insert(at, changed.substr(random() % changed.size(), random() % 60));
      }
    }
    EXPECT_LE(launches(changed).size(), 20u);
  }
}

TEST(HostLaunches, deep_expressions_end) {
  const std::string deep(100000, '(');
  EXPECT_EQ(grid("A", "", "#define A B + B\n#define B C + C\n#define C A + A"), std::nullopt);
  EXPECT_EQ(launches("void f() { k<<<" + deep + ", 1>>>(); }").size(), 0u);
  EXPECT_EQ(grid("N", "", "#define N " + deep), std::nullopt);
  EXPECT_EQ(grid("N", "", "#define N " + std::string(1500, '-') + "1"), std::nullopt);
}

}  // namespace
}  // namespace lanescope::compile
