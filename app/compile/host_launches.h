// The launches of a program's host code: kernel<<<grid, block, shared, stream>>>(arguments), with their
// values where the text alone shows them, and the instances of templates that they need. Method: a scan of
// the tokens; no C++ is compiled. What is not understood stays the expression of the source. A launch in a
// template counts once for each list of arguments that the text gives to that template. Source: CUDA C++
// Programming Guide, "Execution Configuration". Tests: tests/unit/compile/host_launches_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "compile/find_kernels.h"
#include "compile/include_files.h"
#include "compile/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// The expressions are as written; those that are left out are empty.
struct HostLaunch {
  std::string kernel;  // "reduce<kBlock>"
  std::string grid, block, shared_bytes, stream;
  std::vector<std::string> arguments;  // of a call the array that holds them
  std::optional<Dim3> grid_value, block_value;
  std::optional<uint64_t> shared_bytes_value;
  Location where;
  /// Of a template: "reduce<256>"; several where the launch is in a template itself.
  std::vector<std::string> instances;
};

/// In the order of the files and of their text. Launches by kernels are none.
std::vector<HostLaunch> find_host_launches(const SourceFiles& files,
                                           const std::vector<KernelDeclaration>& kernels,
                                           const Options& options);

/// The kernels of all files; those of the source come first.
std::vector<KernelDeclaration> find_kernels(const SourceFiles& files);

}  // namespace lanescope::compile
