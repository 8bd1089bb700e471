#include "compile/wanted_options.h"

#include "compile/headers.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

/// Headers of standard_headers() whose definitions nvcc has without an include, or that nearly every header
/// of C++ brings along.
constexpr std::array<std::string_view, 10> kOffered{"alloca.h",
                                                    "math.h",
                                                    "float.h",
                                                    "stdint.h",
                                                    "limits.h",
                                                    "sys/types.h",
                                                    "cuda.h",
                                                    "cufft_types.h",
                                                    "lanescope/predefined.h",
                                                    "lanescope/std_math.h"};

/// Names, and the header of CUDA that has them. A name that ends in * stands for all that begin so.
struct Names {
  std::string_view header;
  std::string_view names;          // between spaces
  bool is_known_by_itself = true;  // no name that a program gives to something else
};

/// Types that cuBLAS's header and others bring along.
constexpr std::array<Names, 4> kOfCuda{{
    {"cuda_fp16.h", " half half2 __half __half2 __half_raw __half2_raw __float2half* __half2* __hadd* "},
    {"cuda_bf16.h", " nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 __float2bfloat16* "},
    {"cuda_fp8.h", " __nv_fp8* "},
    {"cuComplex.h", " cuComplex cuFloatComplex cuDoubleComplex make_cu* cuC* "},
}};

/// Names of namespace std.
constexpr std::array<Names, 10> kOfStd{{
    {"cuda/std/type_traits",
     " integral_constant bool_constant true_type false_type is_* enable_if enable_if_t conditional "
     "conditional_t common_type common_type_t decay decay_t remove_* add_* make_signed* make_unsigned* "
     "void_t "
     "underlying_type* conjunction* disjunction* negation* invoke_result* aligned_storage* alignment_of "
     "extent* rank "},
    {"lanescope/std_algorithm.h", " min max clamp swap ", false},
    {"cuda/std/limits", " numeric_limits "},
    {"cuda/std/utility",
     " pair make_pair declval exchange index_sequence* make_index_sequence integer_sequence "
     "make_integer_sequence ",
     false},
    {"cuda/std/array", " array ", false},
    {"cuda/std/tuple", " tuple make_tuple get tie tuple_size* tuple_element* ", false},
    {"cuda/std/complex", " complex ", false},
    {"cuda/std/functional",
     " plus minus multiplies divides modulus less less_equal greater greater_equal equal_to not_equal_to "
     "bit_and bit_or bit_xor logical_and logical_or negate ",
     false},
    {"cuda/std/optional", " optional nullopt ", false},
    {"cuda/std/span", " span ", false},
}};

bool has_name(std::string_view names, std::string_view name) {
  for (size_t at = 1; at < names.size();) {
    const size_t end = names.find(' ', at);
    const std::string_view one = names.substr(at, end - at);
    const bool fits = one.ends_with('*') ? name.starts_with(one.substr(0, one.size() - 1)) : name == one;
    if (fits) return true;
    at = end + 1;
  }
  return false;
}

/// A name that the log does not know.
struct Missed {
  std::string_view name;
  bool is_of_std = false;
};

/// The quoted word after `before`, where `after` follows it.
void add_missed(std::vector<Missed>& all, std::string_view log, std::string_view before,
                std::string_view after, bool is_of_std) {
  for (size_t at = log.find(before); at != std::string_view::npos; at = log.find(before, at)) {
    at += before.size();
    const std::string_view rest = log.substr(at);
    const std::string_view name = rest.substr(0, rest.find('"'));
    if (rest.substr(name.size()).starts_with(after)) all.push_back({name, is_of_std});
  }
}

std::vector<Missed> missed_names(std::string_view log) {
  std::vector<Missed> all;
  add_missed(all, log, "identifier \"", "\" is undefined", false);
  add_missed(all, log, "namespace \"std\" has no member \"", "\"", true);
  return all;
}

/// True if the text of `header`, one of standard_headers(), defines the name.
bool defines(std::string_view header, const Missed& missed) {
  const auto found = std::ranges::find(standard_headers(), header, &Header::name);
  const std::string& text = found->text;
  if (missed.is_of_std)
    return text.contains(fmt::format("using ::{};", missed.name)) ||
           text.contains(fmt::format("LANESCOPE_OF_ONE({})", missed.name)) ||
           text.contains(fmt::format("LANESCOPE_OF_TWO({})", missed.name));
  return text.contains(fmt::format("#define {} ", missed.name)) ||
         text.contains(fmt::format(" {};", missed.name)) ||
         text.contains(fmt::format(" {}(size_t", missed.name));
}

}  // namespace

std::vector<std::string> wanted_options(std::string_view log) {
  std::vector<std::string> options;
  const auto include = [&](std::string_view header) {
    std::string option = fmt::format("--pre-include={}", header);
    if (std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
  };
  for (const Missed& missed : missed_names(log)) {
    for (const std::string_view header : kOffered)
      if (defines(header, missed)) include(header);
    if (!missed.is_of_std)
      for (const Names& names : kOfCuda)
        if (has_name(names.names, missed.name)) include(names.header);
    // After `using namespace std` the name alone is missed.
    for (const Names& names : kOfStd) {
      if (!has_name(names.names, missed.name)) continue;
      if (!missed.is_of_std && !names.is_known_by_itself) continue;
      if (names.header.starts_with("cuda/")) include("lanescope/std_of_cuda.h");
      include(names.header);
    }
  }
  if (log.contains("incomplete type \"CUtensorMap_st\"")) include("cuda.h");
  // nvcc warns of the word, which says nothing to a compiler any more.
  if (log.contains("\"register\" storage class specifier")) options.emplace_back("--define-macro=register=");
  // Makes host functions of Thrust's header for kernels compile for kernels too, which do not call them.
  if (log.contains("thrust/complex.h") && log.contains("explicitly marked as a __host__ function")) {
    include("lanescope/no_host.h");
    options.emplace_back("--device-as-default-execution-space");
  }
  return options;
}

}  // namespace lanescope::compile
