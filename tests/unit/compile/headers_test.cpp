// Headers in kernels: CUDA's headers are found without options, common C headers are accepted, and a missing
// header is named with advice.

#include "compile/headers.h"

#include "compile/compile.h"
#include "support/project.h"

#include <algorithm>
#include <ostream>

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

struct Use {
  const char* header;
  const char* kernel;  // what uses it, in a __global__ function with `int* p`
  bool from_curand = false;
};

/// The test's name is the header's.
void PrintTo(const Use& use, std::ostream* out) { *out << use.header; }

class CudaHeader : public testing::TestWithParam<Use> {
 protected:
  void SetUp() override {
    auto found = find_compiler(tests::source_dir() / ".cache/third_party");
    if (!found) GTEST_SKIP() << "no NVRTC here: " << found.error().message;
    compiler_ = *std::move(found);
    const auto has = [](const fs::path& folder) { return fs::exists(folder / "curand_kernel.h"); };
    if (GetParam().from_curand && std::ranges::none_of(compiler_->include_directories(), has))
      GTEST_SKIP() << "cuRAND's headers are not here: app/run fetches them";
  }
  std::optional<Compiler> compiler_;
};

TEST_P(CudaHeader, compiles_in_a_kernel_that_uses_it) {
  const std::string text = std::string("#include <") + GetParam().header +
                           ">\nextern \"C\" __global__ void f(int* p) { " + GetParam().kernel + " }\n";
  const auto compilation = compile(*compiler_, {"use.cu", text, {}}, {}).value();
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  EXPECT_EQ(compilation.ptx->find(tests::source_dir().string()), std::string::npos)
      << "the PTX names a folder of this machine";
}

INSTANTIATE_TEST_SUITE_P(
    OfCuda, CudaHeader,
    testing::Values(
        Use{"cuda_runtime.h", "*p = blockDim.x;"}, Use{"device_launch_parameters.h", "*p = threadIdx.x;"},
        Use{"cuda_fp16.h", "*p = __half2int_rn(__hadd(__float2half(1.5f), __ushort_as_half(*p)));"},
        Use{"cuda_bf16.h", "*p = __bfloat162int_rn(__float2bfloat16(2.5f * *p));"},
        Use{"cuda_fp8.h", "*p = __nv_fp8_e4m3(1.5f * *p).__x;"}, Use{"vector_types.h", "*p = int2{1, 2}.y;"},
        Use{"math_constants.h", "*p = CUDART_PI_F * *p;"}, Use{"cuComplex.h", "*p = cuCabsf({3, 4});"},
        Use{"cooperative_groups.h", "*p = cooperative_groups::this_thread_block().size();"},
        Use{"cooperative_groups/reduce.h",
            "namespace cg = cooperative_groups; "
            "*p = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), *p, cg::plus<int>());"},
        Use{"cooperative_groups/scan.h",
            "namespace cg = cooperative_groups; "
            "*p = cg::inclusive_scan(cg::tiled_partition<8>(cg::this_thread_block()), *p);"},
        Use{"cooperative_groups/memcpy_async.h",
            "__shared__ int s[32]; namespace cg = cooperative_groups; "
            "cg::memcpy_async(cg::this_thread_block(), s, p, 128); cg::wait(cg::this_thread_block()); *p = "
            "s[1];"},
        Use{"cuda_pipeline.h",
            "__shared__ int s; __pipeline_memcpy_async(&s, p, 4); __pipeline_commit(); "
            "__pipeline_wait_prior(0); *p = s + 1;"},
        Use{"cuda_awbarrier.h", "__shared__ __mbarrier_t b; __mbarrier_init(&b, 1); *p = 1;"},
        Use{"mma.h",
            "using namespace nvcuda; wmma::fragment<wmma::accumulator, 16, 16, 16, float> c; "
            "wmma::fill_fragment(c, 1.0f); *p = c.num_elements;"},
        Use{"curand_kernel.h",
            "curandStatePhilox4_32_10_t s; curand_init(1, threadIdx.x, 0, &s); *p = curand(&s);", true}));

INSTANTIATE_TEST_SUITE_P(
    SlowOfItsLibrary, CudaHeader,
    testing::Values(
        Use{"cuda/barrier",
            "__shared__ cuda::barrier<cuda::thread_scope_block> b; if (threadIdx.x == 0) init(&b, 32); "
            "__syncthreads(); b.arrive_and_wait(); *p = 1;"},
        Use{"cuda/pipeline",
            "auto q = cuda::make_pipeline(); q.producer_acquire(); q.producer_commit(); *p = 1;"},
        Use{"cuda/atomic", "cuda::atomic_ref<int, cuda::thread_scope_device>(*p).fetch_add(1);"},
        Use{"cuda/std/array", "cuda::std::array<int, 3> a{1, 2, 3}; *p = a[*p];"},
        Use{"cuda/std/type_traits", "*p = cuda::std::is_same_v<int, int>;"},
        Use{"cuda/std/cstdint", "*p = cuda::std::uint8_t(*p);"},
        Use{"cuda/std/limits", "*p = cuda::std::numeric_limits<int>::max();"},
        Use{"cuda/std/cmath", "*p = cuda::std::sqrt(2.0f * *p);"},
        Use{"cuda/std/complex", "*p = cuda::std::complex<float>(*p, 2).real();"},
        Use{"cuda/std/atomic", "cuda::std::atomic_ref<int>(*p).store(1);"},
        Use{"cuda/std/tuple", "*p = cuda::std::get<1>(cuda::std::make_tuple(1, *p));"},
        Use{"cub/block/block_reduce.cuh",
            "using R = cub::BlockReduce<int, 64>; __shared__ R::TempStorage t; *p = R(t).Sum(*p);"},
        Use{"cub/cub.cuh",
            "using R = cub::BlockReduce<int, 64>; __shared__ R::TempStorage t; *p = R(t).Sum(*p); "
            "using W = cub::WarpScan<int>; __shared__ W::TempStorage w; W(w).InclusiveSum(*p, *p);"},
        Use{"cub/block/block_scan.cuh",
            "using S = cub::BlockScan<int, 64>; __shared__ S::TempStorage t; S(t).ExclusiveSum(*p, *p);"},
        Use{"cub/block/block_radix_sort.cuh",
            "using S = cub::BlockRadixSort<int, 64, 1>; __shared__ S::TempStorage t; int k[1] = {*p}; "
            "S(t).Sort(k); *p = k[0];"},
        Use{"cub/warp/warp_reduce.cuh",
            "using R = cub::WarpReduce<int>; __shared__ R::TempStorage t; *p = R(t).Sum(*p);"}));

INSTANTIATE_TEST_SUITE_P(
    OfTheCLibrary, CudaHeader,
    testing::Values(Use{"stdio.h", "printf(\"%d\", *p);"}, Use{"cstdio", "printf(\"x\");"},
                    Use{"stdlib.h", "*p = abs(*p);"}, Use{"stdint.h", "*p = sizeof(uint64_t) + INT32_MAX;"},
                    Use{"cstdint", "*p = sizeof(uint16_t);"}, Use{"limits.h", "*p = INT_MAX;"},
                    Use{"float.h", "*p = FLT_MAX > 1;"}, Use{"math.h", "*p = sinf(M_PI / *p) < INFINITY;"},
                    Use{"cuda.h", "*p = 1;"}, Use{"cmath", "*p = fabsf(*p);"},
                    Use{"string.h", "memset(p, 1, 4);"}, Use{"assert.h", "assert(*p == 3);"},
                    Use{"alloca.h", "*p = *(int*)alloca(*p);"}));

TEST(Headers, mathematical_constants_need_no_header) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const std::string text =
      "extern \"C\" __global__ void f(float* p) { p[0] = INFINITY; p[1] = NAN; p[2] = M_PI; p[3] = "
      "HUGE_VALF; }";
  const auto compilation = compile(*compiler, {"inf.cu", text, {}}, {}).value();
  ASSERT_TRUE(compilation.ptx) << compilation.log;
  // In binary32: infinity, a quiet NaN, 3.14159274.
  for (const char* bits : {"2139095040", "2143289344", "1078530011"})
    EXPECT_NE(compilation.ptx->find(bits), std::string::npos) << *compilation.ptx;
}

TEST(Headers, types_of_the_c_headers_agree_with_cudas) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const Source source{
      "both.cu",
      "#include <cstdint>\n#include <stdint.h>\n#include <cuda/std/cstdint>\n#include <cuda_fp16.h>\n"
      "#include <cub/block/block_reduce.cuh>\n#include <cuda/barrier>\n"
      "extern \"C\" __global__ void f(uint64_t* p) { *p = INT64_MAX; }\n",
      {}};
  const auto compilation = compile(*compiler, source, {}).value();
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST(Headers, a_header_next_to_the_source_wins_over_the_built_in_one) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const Source source{"own.cu",
                      "#include \"limits.h\"\nextern \"C\" __global__ void f(int* p) { *p = OWN; }\n",
                      {{"limits.h", "#define OWN 77\n"}}};
  const auto compilation = compile(*compiler, source, {}).value();
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST(Headers, a_missing_header_is_named_with_its_package) {
  const std::string log = "a.cu(1): catastrophic error: cannot open source file \"curand_kernel.h\"\n";
  EXPECT_EQ(
      advice_on_missing_header(log, {"/opt/include"}),
      "curand_kernel.h belongs to cuRAND's headers (PyPI nvidia-curand) and is not in the folders searched "
      "(/opt/include); run app/run, which fetches it, install the CUDA toolkit, or give its folder with "
      "-I\n");
  EXPECT_NE(advice_on_missing_header("could not open source file \"cub/cub.cuh\" (no directories)", {})
                .find("nvidia-cuda-cccl"),
            std::string::npos);
  EXPECT_EQ(advice_on_missing_header("a.cu(2): error: expected a \";\"", {}), "");
}

TEST(Headers, numbers_of_cufft_and_handles_of_the_driver_need_no_library) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const std::string text =
      "#include <cufft.h>\n__device__ cufftComplex twice(cufftComplex a) { return {2 * a.x, 2 * a.y}; }\n"
      "__global__ void f(cufftComplex* a, CUtexObject image) { a[0] = twice(a[1]); }\n";
  const auto compilation = compile(*compiler, {"s.cu", text, {}}, {}).value();
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST(Headers, short_names_of_types_and_limits_of_floats_need_no_include) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const auto compilation =
      compile(*compiler, {"s.cu", "__global__ void f(uint* a, float* b) { b[a[0]] = FLT_MAX; }\n", {}}, {})
          .value();
  EXPECT_TRUE(compilation.ptx) << compilation.log;
}

TEST(Headers, a_tensor_map_is_a_parameter_of_128_bytes) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const std::string kernel =
      "__global__ void f(const __grid_constant__ CUtensorMap map, int* a) { a[0] = 1; }\n";
  for (const std::string& text : {"#include <cuda.h>\n" + kernel, "#include <cuda/barrier>\n" + kernel}) {
    const auto compilation = compile(*compiler, {"m.cu", text, {}}, {}).value();
    ASSERT_TRUE(compilation.ptx) << compilation.log;
    EXPECT_NE(compilation.ptx->find("[128]"), std::string::npos) << *compilation.ptx;
  }
}

TEST(Headers, what_cuda_has_and_is_not_supported_gets_one_sentence) {
  const auto compiler = find_compiler(tests::source_dir() / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << "no NVRTC here: " << compiler.error().message;
  const auto log_of = [&](const char* text) {
    return compile(*compiler, {"u.cu", text, {}}, {}).value().log;
  };
  const std::string texture = log_of(
      "texture<float, 2, cudaReadModeElementType> image;\n"
      "__global__ void f(float* a) { a[0] = tex2D(image, 1.f, 2.f); }\n");
  EXPECT_NE(texture.find("CUDA 12 removed texture references"), std::string::npos) << texture;
  EXPECT_NE(texture.find("a parameter cudaTextureObject_t image"), std::string::npos) << texture;
  EXPECT_EQ(texture.find("__CUDACC_RTC__"), std::string::npos) << "which would be no help";
  const std::string launch =
      log_of("__global__ void g(float* a) { a[0] = 1; }\n__global__ void f(float* a) { g<<<1, 32>>>(a); }\n");
  EXPECT_NE(launch.find("dynamic parallelism"), std::string::npos) << launch;
  const std::string runtime = log_of(
      "__global__ void f(cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, 0); }\nint "
      "main() {}\n");
  EXPECT_NE(runtime.find("device code calls cudaGraphSetConditional of the CUDA runtime"), std::string::npos)
      << runtime;
}

}  // namespace
}  // namespace lanescope::compile
