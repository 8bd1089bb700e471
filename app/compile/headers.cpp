#include "compile/headers.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::compile {
namespace {

// Types and limits of CUDA's C++ library, or equal ones where the library is missing.
constexpr const char* kStdint = R"(#pragma once
#if __has_include(<cuda/std/cstdint>)
#include <cuda/std/cstdint>
#else
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32767 - 1)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL
#endif
namespace std {
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
}
)";

constexpr const char* kLimits = R"(#pragma once
#if __has_include(<cuda/std/climits>)
#include <cuda/std/climits>
#else
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32767 - 1)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr const char* kFloat = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_EPSILON 1.19209289550781250000e-7F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_MAX 3.40282346638528859812e+38F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_EPSILON 2.22044604925031308085e-16
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_MAX 1.79769313486231570815e+308
)";

// Macros that the host's compiler defines by itself.
constexpr const char* kPredefined = R"(#pragma once
#define __FLT_EPSILON__ 1.19209289550781250000e-7F
#define __FLT_MIN__ 1.17549435082228750797e-38F
#define __FLT_MAX__ 3.40282346638528859812e+38F
#define __DBL_EPSILON__ 2.22044604925031308085e-16
#define __DBL_MIN__ 2.22507385850720138309e-308
#define __DBL_MAX__ 1.79769313486231570815e+308
#define __CHAR_BIT__ 8
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_LONG_MAX__ 9223372036854775807LL
)";

// nvcc compiles alloca to a PTX instruction; NVRTC supports the instruction but has no function for it.
// Inlined, it allocates on the stack of the calling function.
constexpr const char* kAlloca = R"(#pragma once
__device__ __forceinline__ void* alloca(size_t size) {
  void* given;
  asm volatile("{ .reg .b64 at; alloca.u64 at, %1, 16; cvta.local.u64 %0, at; }"
               : "=l"(given) : "l"(size) : "memory");
  return given;
}
)";

// With nvcc a kernel has these without an include. NVRTC has no host function that returns an infinity.
constexpr const char* kMath = R"(#pragma once
#ifndef INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef NAN
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#endif
#ifndef HUGE_VAL
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000)
#endif
#ifndef HUGE_VALF
#define HUGE_VALF __builtin_bit_cast(float, 0x7f800000)
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
)";

// C++'s names of the functions. A whole number or mixed numbers become double, as in C++.
constexpr const char* kStdMath = R"(#pragma once
#define LANESCOPE_OF_ONE(function)                                                        \
  using ::function;                                                                       \
  template <class T> __host__ __device__ auto function(T x) -> decltype(x % 1, double()) { \
    return ::function(static_cast<double>(x));                                            \
  }
#define LANESCOPE_OF_TWO(function)                                                                    \
  using ::function;                                                                                   \
  template <class T, class U>                                                                         \
  __host__ __device__ auto function(T x, U y) -> decltype(double(x), double(y), double()) {           \
    return ::function(static_cast<double>(x), static_cast<double>(y));                                \
  }
namespace std {
LANESCOPE_OF_ONE(sqrt) LANESCOPE_OF_ONE(cbrt) LANESCOPE_OF_ONE(exp) LANESCOPE_OF_ONE(exp2)
LANESCOPE_OF_ONE(expm1) LANESCOPE_OF_ONE(log) LANESCOPE_OF_ONE(log2) LANESCOPE_OF_ONE(log10)
LANESCOPE_OF_ONE(log1p) LANESCOPE_OF_ONE(sin) LANESCOPE_OF_ONE(cos) LANESCOPE_OF_ONE(tan)
LANESCOPE_OF_ONE(asin) LANESCOPE_OF_ONE(acos) LANESCOPE_OF_ONE(atan) LANESCOPE_OF_ONE(sinh)
LANESCOPE_OF_ONE(cosh) LANESCOPE_OF_ONE(tanh) LANESCOPE_OF_ONE(asinh) LANESCOPE_OF_ONE(acosh)
LANESCOPE_OF_ONE(atanh) LANESCOPE_OF_ONE(floor) LANESCOPE_OF_ONE(ceil) LANESCOPE_OF_ONE(round)
LANESCOPE_OF_ONE(trunc) LANESCOPE_OF_ONE(rint) LANESCOPE_OF_ONE(nearbyint) LANESCOPE_OF_ONE(erf)
LANESCOPE_OF_ONE(erfc) LANESCOPE_OF_ONE(tgamma) LANESCOPE_OF_ONE(lgamma) LANESCOPE_OF_ONE(fabs)
LANESCOPE_OF_TWO(pow) LANESCOPE_OF_TWO(atan2) LANESCOPE_OF_TWO(fmod) LANESCOPE_OF_TWO(hypot)
LANESCOPE_OF_TWO(remainder) LANESCOPE_OF_TWO(fmin) LANESCOPE_OF_TWO(fmax) LANESCOPE_OF_TWO(fdim)
using ::abs;
using ::labs;
using ::llabs;
using ::lround;
using ::llround;
using ::lrint;
using ::llrint;
using ::fma;
using ::copysign;
using ::nextafter;
using ::ldexp;
using ::frexp;
using ::modf;
using ::scalbn;
using ::logb;
using ::ilogb;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::signbit;
using ::sqrtf;
using ::powf;
using ::expf;
using ::exp2f;
using ::logf;
using ::log2f;
using ::log10f;
using ::sinf;
using ::cosf;
using ::tanf;
using ::tanhf;
using ::atan2f;
using ::fabsf;
using ::floorf;
using ::ceilf;
using ::roundf;
using ::truncf;
using ::fminf;
using ::fmaxf;
using ::fmodf;
using ::fmaf;
}
#undef LANESCOPE_OF_ONE
#undef LANESCOPE_OF_TWO
)";

// The functions of <algorithm> and <utility> that device code uses most; nvcc compiles the host's there.
constexpr const char* kAlgorithm = R"(#pragma once
namespace std {
template <class T> __host__ __device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T> __host__ __device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T> __host__ __device__ constexpr const T& clamp(const T& x, const T& low, const T& high) {
  return x < low ? low : high < x ? high : x;
}
template <class T> __host__ __device__ constexpr void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
}
)";

// Lets a kernel name as std::... what a header of CUDA's C++ library has. What NVRTC has in std itself hides
// what is in cuda::std.
constexpr const char* kStdOfCuda = R"(#pragma once
namespace cuda { namespace std {} }
namespace std { using namespace cuda::std; }
)";

// glibc's names, which nvcc takes from the host's headers.
constexpr const char* kTypes = R"(#pragma once
typedef unsigned char u_char;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long ssize_t;
)";

/// Handles of the driver's header, and its tensor map, whose contents a kernel never reads.
/// Source: CUDA Driver API, CUtensorMap: 128 bytes at a multiple of 64.
constexpr const char* kDriver = R"(#pragma once
typedef struct CUtensorMap_st { alignas(64) unsigned long long opaque[16]; } CUtensorMap;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUdeviceptr;
)";

/// cuFFT's numbers, which device code of its users has. Source: cuFFT documentation, "cuFFT Data Types".
constexpr const char* kFft = R"(#pragma once
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
)";

/// CUB as a whole has functions of the host, which NVRTC refuses; these are for kernels.
constexpr const char* kCub = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_rank.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";

// thrust::complex takes the one of std too. A program that includes the header for its host code pays
// nothing.
constexpr const char* kComplex = R"(#pragma once
#ifdef THRUST_VERSION
#include <cuda/std/complex>
#include <lanescope/std_of_cuda.h>
#endif
)";

// Removes __host__: functions without it are for kernels too, with --device-as-default-execution-space.
constexpr const char* kNoHost = R"(#pragma once
#undef __host__
#define __host__
)";

// thrust::complex's operators << and >>, which no kernel calls, name these.
constexpr const char* kStreams = R"(#pragma once
#ifdef THRUST_VERSION
namespace std {
struct ios_base { enum iostate { failbit }; };
template <class Char, class Traits> class basic_istream;
template <class Char, class Traits> class basic_ostream;
template <class Char> struct char_traits;
template <class Char, class Traits = char_traits<Char>> class basic_ostringstream;
}
#endif
)";

/// Header name, its text.
constexpr std::array kStandard{
    std::pair{"stdint.h", kStdint},
    std::pair{"cstdint", kStdint},
    std::pair{"limits.h", kLimits},
    std::pair{"climits", kLimits},
    std::pair{"float.h", kFloat},
    std::pair{"cfloat", kFloat},
    std::pair{"stdio.h", ""},
    std::pair{"cstdio", ""},
    std::pair{"stdlib.h", ""},
    std::pair{"cstdlib", ""},
    std::pair{"string.h", ""},
    std::pair{"cstring", ""},
    std::pair{"math.h", kMath},
    std::pair{"cmath", kMath},
    std::pair{"stddef.h", ""},
    std::pair{"cstddef", ""},
    std::pair{"assert.h", ""},
    std::pair{"cassert", ""},
    std::pair{"alloca.h", kAlloca},
    std::pair{"cuda.h", kDriver},
    std::pair{"sys/types.h", kTypes},
    std::pair{"cub/cub.cuh", kCub},
    std::pair{"cufft_types.h", kFft},
    std::pair{"complex", kComplex},
    std::pair{"sstream", kStreams},
    std::pair{"lanescope/no_host.h", kNoHost},
    std::pair{"lanescope/predefined.h", kPredefined},
    std::pair{"lanescope/std_math.h", kStdMath},
    std::pair{"lanescope/std_algorithm.h", kAlgorithm},
    std::pair{"lanescope/std_of_cuda.h", kStdOfCuda},
};

/// Beginning of a header's name, and the package that has it.
constexpr std::array kOwners{
    std::pair{"curand", "cuRAND's headers (PyPI nvidia-curand)"},
    std::pair{"cub/", "CUDA's C++ library (PyPI nvidia-cuda-cccl)"},
    std::pair{"thrust/", "CUDA's C++ library (PyPI nvidia-cuda-cccl)"},
    std::pair{"cuda/", "CUDA's C++ library (PyPI nvidia-cuda-cccl)"},
    std::pair{"nv/", "CUDA's C++ library (PyPI nvidia-cuda-cccl)"},
    std::pair{"crt/", "the CUDA compiler's headers (PyPI nvidia-cuda-crt, of CUDA 12 nvidia-cuda-nvcc-cu12)"},
    std::pair{"cuda", "the CUDA runtime's headers (PyPI nvidia-cuda-runtime)"},
    std::pair{"cooperative_groups", "the CUDA runtime's headers (PyPI nvidia-cuda-runtime)"},
    std::pair{"mma.h", "the CUDA runtime's headers (PyPI nvidia-cuda-runtime)"},
    std::pair{"device_", "the CUDA runtime's headers (PyPI nvidia-cuda-runtime)"},
};

/// Beginnings of the names of CUDA's headers that are for the host.
constexpr std::array<std::string_view, 24> kHostLibraries{
    "thrust/",      "cublas",        "cufft",      "cusparse",        "cusolver",
    "curand.h",     "npp",           "nvjpeg",     "nvgraph",         "cudnn",
    "nccl",         "nvblas",        "nvToolsExt", "nvtx3/",          "nvrtc",
    "cudaProfiler", "cuda_profiler", "cupti",      "cuda_gl_interop", "cuda_egl_interop",
    "cuda_vdpau",   "cudaGL",        "cudaEGL",    "cub/device/"};

}  // namespace

const std::vector<Header>& standard_headers() {
  static const std::vector<Header> headers = [] {
    std::vector<Header> all;
    for (const auto& [name, text] : kStandard) all.push_back({name, text});
    return all;
  }();
  return headers;
}

std::string advice_on_missing_header(std::string_view log,
                                     const std::vector<std::filesystem::path>& searched) {
  constexpr std::string_view kWords = "open source file \"";
  const size_t at = log.find(kWords);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = log.substr(at + kWords.size());
  const std::string_view name = rest.substr(0, rest.find('"'));
  std::vector<std::string> folders;
  folders.reserve(searched.size());
  for (const auto& folder : searched) folders.push_back(folder.string());
  const std::string place =
      folders.empty() ? "no folder of CUDA headers was found" : fmt::format("{}", fmt::join(folders, ", "));
  for (const auto& [begin, owner] : kOwners)
    if (name.starts_with(begin))
      return fmt::format(
          "{} belongs to {} and is not in the folders searched ({}); run app/run, which fetches it, install "
          "the CUDA toolkit, or give its folder with -I\n",
          name, owner, place);
  return fmt::format(
      "{} was not found next to the source or among CUDA's headers; a kernel is compiled without the host's "
      "C++ library, so remove such includes (cuda/std has device versions), or give the folder with -I\n",
      name);
}

bool is_standard_header(std::string_view name) {
  return std::ranges::find(standard_headers(), name, &Header::name) != standard_headers().end();
}

bool is_host_library(std::string_view name) {
  if (name == "thrust/complex.h") return false;  // the one part of Thrust that is for kernels
  return std::ranges::any_of(kHostLibraries, [&](std::string_view begin) { return name.starts_with(begin); });
}

std::string advice_on_unsupported(std::string_view log) {
  const auto says = [&](std::string_view words) { return log.find(words) != std::string_view::npos; };
  if (says("texture is not a template") || says("surface is not a template"))
    return "CUDA 12 removed texture references (texture<...>) and surface references; give "
           "the kernel a texture object instead: a parameter cudaTextureObject_t image, read with "
           "tex2D<float>(image, x, y), and --arg 'texture(f32[64x64]:iota)'\n";
  constexpr std::string_view kRuntime = "identifier \"cuda";
  if (const size_t at = log.find(kRuntime); at != std::string_view::npos) {
    const std::string_view rest = log.substr(at + kRuntime.size() - 4);
    return fmt::format(
        "device code calls {} of the CUDA runtime: dynamic parallelism and graphs that kernels control are "
        "not "
        "supported; run a kernel without it\n",
        rest.substr(0, rest.find('"')));
  }
  if (says("device-side kernel launch could not be processed"))
    return "a kernel that launches kernels (dynamic parallelism) is not supported; run the inner kernel by "
           "itself, with the launch that it is given\n";
  return {};
}

}  // namespace lanescope::compile
