// What nvcc takes: names of the host's compiler and of headers that are left out, std's functions and types,
// and two spellings.

#include "compile/wanted_options.h"

#include "compile/compile.h"
#include "support/project.h"

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WantedOptions, a_name_finds_its_header) {
  EXPECT_THAT(wanted_options("a.cu(1): error: identifier \"M_SQRT1_2\" is undefined"),
              ElementsAre("--pre-include=math.h"));
  EXPECT_THAT(wanted_options("identifier \"NAN\" is undefined\nidentifier \"alloca\" is undefined"),
              ElementsAre("--pre-include=math.h", "--pre-include=alloca.h"));
  EXPECT_THAT(wanted_options("identifier \"__half2float\" is undefined"),
              ElementsAre("--pre-include=cuda_fp16.h"));
  EXPECT_THAT(wanted_options("namespace \"std\" has no member \"is_same_v\""),
              ElementsAre("--pre-include=lanescope/std_of_cuda.h", "--pre-include=cuda/std/type_traits"));
}

TEST(WantedOptions, other_names_find_none) {
  EXPECT_THAT(wanted_options("identifier \"M_\" is undefined, identifier \"PI\" is undefined"), IsEmpty());
  // A program may have an array of its own, which was left out.
  EXPECT_THAT(wanted_options("identifier \"array\" is undefined"), IsEmpty());
  EXPECT_THAT(wanted_options("namespace \"std\" has no member \"cout\""), IsEmpty());
}

struct Program {
  const char* name;
  const char* text;
  const char* in_ptx;  // what shows that it means what nvcc makes of it
};
void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

class TakenAsByNvcc : public testing::TestWithParam<Program> {};

TEST_P(TakenAsByNvcc, compiles) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  Options options;
  options.launched_instances_of = "";  // all that host code launches
  const auto compilation = compile(*compiler, {"k.cu", GetParam().text, {}}, options).value();
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_THAT(*compilation.ptx, HasSubstr(GetParam().in_ptx));
}

INSTANTIATE_TEST_SUITE_P(
    Program, TakenAsByNvcc,
    testing::Values(
        Program{"whole_numbers_without_their_header",
                "#include <chrono>\n__global__ void k(uint16_t* x, uintptr_t at) { x[at] = INT16_MAX; }\n"
                "int main() { k<<<1, 1>>>(nullptr, 0); }\n",
                ".entry _Z1kPty("},
        Program{"limits_without_their_header",
                "#include <vector>\n__global__ void k(int* x) { *x = INT_MIN; }\nint main() { return "
                "INT_MAX; }\n",
                "-2147483648"},
        Program{"limits_of_the_hosts_compiler", "__global__ void k(float* x) { *x = __FLT_MAX__; }\n",
                "2139095039"},
        Program{"half_precision_of_a_left_out_header",
                "#include <cudnn.h>\n__global__ void k(__half* x) { *x = __hadd(*x, __float2half(1.f)); }\n",
                "_Z1kP6__half"},
        Program{
            "bfloat16_of_a_left_out_header",
            "#include <cublasLt.h>\n__global__ void k(__nv_bfloat16* x) { *x = __float2bfloat16(2.f); }\n",
            "_Z1kP13__nv_bfloat16"},
        Program{
            "std_functions_of_a_float",
            "#include <cmath>\n__global__ void k(float* x) { x[0] = std::sqrt(x[1]) + std::abs(x[2]); }\n",
            "sqrt.rn.f32"},
        Program{"std_functions_of_a_whole_number",
                "#include <cmath>\n__global__ void k(double* x, int n) { x[0] = std::sqrt(n); }\n",
                "sqrt.rn.f64"},
        Program{"std_functions_of_two_types",
                "#include <cmath>\n__global__ void k(double* x, float a) {\n"
                "  x[0] = std::pow(x[1], a) + std::fmax(a, x[2]) + std::pow(a, 2);\n}\n",
                "max.f64"},
        Program{
            "functions_after_using_namespace_std",
            "#include <algorithm>\n#include <cmath>\nusing namespace std;\n"
            "__global__ void k(float* x, int n) { x[0] = sqrt(x[1]) + min(n, 3) + std::max(x[2], x[3]); }\n"
            "int main() { k<<<1, 1>>>(nullptr, 1); }\n",
            "sqrt.rn.f32"},
        Program{"types_of_std",
                "#include <type_traits>\n#include <vector>\n"
                "template <class T> __global__ void k(std::remove_const_t<T>* x) {\n"
                "  if (std::is_floating_point<T>::value) *x = 2;\n}\n"
                "int main() { k<const double><<<1, 1>>>(nullptr); }\n",
                ".entry _Z1kIKdEvPN4cuda3std3"},
        Program{"numbers_in_registers", "__global__ void k(int* x) { register int y = *x; *x = y + 5; }\n",
                "5;"},
        Program{"linkage_without_a_space",
                "#include <iostream>\nextern \"C\"__global__ void one(int* x) { *x = 1; }\nint main() {}\n",
                ".entry one("},
        Program{"a_constant_of_a_constant",
                "#include <iostream>\nconst float half_pi = 1.5f;\nstatic const double turn = half_pi * 4;\n"
                "__global__ void k(double* x) { const double mine = *x; *x = mine + turn; }\nint main() {}\n",
                "0d4018000000000000"}),  // 6.0
    testing::PrintToStringParamName());

/// Takes some seconds in NVRTC.
INSTANTIATE_TEST_SUITE_P(SlowOfItsLibrary, TakenAsByNvcc,
                         testing::Values(Program{"complex_numbers_of_thrust",
                                                 "#include <thrust/complex.h>\n"
                                                 "__global__ void k(thrust::complex<float>* x) {\n"
                                                 "  x[0] = x[1] * thrust::complex<float>(3, 2);\n}\n",
                                                 "mul.f32"}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace lanescope::compile
