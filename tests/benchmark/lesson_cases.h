// The lessons' kernels on n x n floats, ready to be run by a benchmark.

#pragma once

#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/lesson_kernels.h"
#include "support/matrix_run.h"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace lanescope::benchmarks {

struct Case {
  ptx::Program program;
  launch::Launch launch;
};

/// Ends the program with the error's sentence.
template <class T>
T or_stop(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "{}\n", describe(result.error()));
  std::exit(1);
}

/// The stored kernel of `file` that was compiled with these macros.
inline Case stored(const std::string& file, const std::map<std::string, std::string>& wanted, uint32_t n) {
  static const lesson::Lesson lesson = or_stop(tests::matrix_lesson());
  for (const tests::StoredKernel& kernel : or_stop(tests::lesson_kernels())) {
    const bool fits = kernel.file == file && std::ranges::all_of(wanted, [&](const auto& define) {
                        const auto found = kernel.defines.find(define.first);
                        return found != kernel.defines.end() && found->second == define.second;
                      });
    if (!fits) continue;
    const ptx::Module module = or_stop(ptx::parse(kernel.text, kernel.file));
    return {or_stop(ptx::lower(module, kernel.entry())), or_stop(tests::launch_of(lesson, kernel, {n, n}))};
  }
  fmt::print(stderr, "no stored kernel of {} fits\n", file);
  std::exit(1);
}

inline const std::map<std::string, std::string> kPlain{
    {"DIAGONAL", "0"}, {"ELEMENT_BYTES", "4"}, {"TILE", "32"}};

inline std::map<std::string, std::string> plain_with(const std::string& padding) {
  auto defines = kPlain;
  defines["PADDING"] = padding;
  defines["SWIZZLE"] = "0";
  return defines;
}

inline Case padded(uint32_t n) { return stored("transpose_tiled.cu", plain_with("1"), n); }
inline Case tiled(uint32_t n) { return stored("transpose_tiled.cu", plain_with("0"), n); }
inline Case naive(uint32_t n) { return stored("transpose_naive.cu", kPlain, n); }
inline Case copy(uint32_t n) { return stored("copy.cu", kPlain, n); }

}  // namespace lanescope::benchmarks
