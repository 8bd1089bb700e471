// The PTX of the test kernels: where it is, and how it is made with NVRTC for sm_90.

#pragma once

#include "compile/compile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::tests {

/// The release of NVRTC whose PTX is kept: the one that the set-up fetches.
inline constexpr int kKernelsMajor = 13;
inline constexpr int kKernelsMinor = 0;

inline std::vector<std::filesystem::path> kernel_sources(const std::filesystem::path& project) {
  std::vector<std::filesystem::path> sources;
  for (const auto& entry : std::filesystem::directory_iterator(project / "tests/kernels"))
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  std::ranges::sort(sources);
  return sources;
}

inline std::filesystem::path stored_kernel_file(const std::filesystem::path& project,
                                                const std::filesystem::path& source) {
  return project / "tests/data/kernels" / source.stem().concat(".ptx");
}

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {};
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

/// Error (Compile) with the log where the source does not compile.
inline Result<std::string> compile_kernel(const compile::Compiler& compiler,
                                          const std::filesystem::path& source) {
  compile::Source text{source.filename().string(), read_file(source).value_or(""), {}};
  TRY(compile::Compilation compilation, compile::compile(compiler, text, {}));
  if (!compilation.ptx) return fail(ErrorKind::Compile, compilation.log, Location{source.string(), 0});
  return *std::move(compilation.ptx);
}

}  // namespace lanescope::tests
