// The project's own test kernels: tests/kernels/NAME.cu, launched as tests/kernels/kernels.toml says, their
// PTX in tests/data/kernels.

#pragma once

#include "base/error.h"
#include "launch/launch.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace lanescope::tests {

/// How far a result may be from the H200's where the hardware approximates.
struct Tolerance {
  enum class Unit { Ulp, Absolute };
  Unit unit = Unit::Ulp;
  double bound = 0;
  double seen = 0;  // the largest difference that was found, which a test keeps true
};

/// One launch of a kernel.
struct TestKernel {
  std::string name;                    // of the file and of the kernel
  std::string run;                     // distinguishes launches of one kernel; mostly empty
  std::string grid, block;             // "X[,Y[,Z]]"
  uint32_t shared_bytes = 0;           // dynamic
  std::vector<std::string> arguments;  // in the words of --arg
  std::optional<Tolerance> tolerance;  // empty: every byte equals
  std::string covers;                  // what it is in the fast tests for; empty: it is a slow test's

  /// "vector_widths.8_bytes": what this launch's files begin with.
  std::string title() const { return run.empty() ? name : name + "." + run; }
};

/// For the messages of parameterised tests.
inline void PrintTo(const TestKernel& kernel, std::ostream* out) { *out << kernel.title(); }

/// All launches, in the file's order. `folder` is tests/kernels.
Result<std::vector<TestKernel>> test_kernels(const std::filesystem::path& folder);

/// Those of the project: what runs in the fast tests, or the others. Both are empty if the file does not
/// parse, which tests/differential/test_kernels_test.cpp reports.
enum class Tier { Fast, Slow };
std::vector<TestKernel> kernels_of(Tier tier);

/// Names the instances of parameterised tests.
inline constexpr auto kKernelName = [](const auto& instance) {
  std::string name = instance.param.title();
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
};

Result<launch::Launch> launch_of(const TestKernel& kernel);

/// 32 hexadecimal digits, the XXH3 of a buffer's bytes.
std::string hash_of(const launch::Contents& contents);

}  // namespace lanescope::tests
