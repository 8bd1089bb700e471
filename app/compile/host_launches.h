// The launches of a program's host code: kernel<<<grid, block, shared, stream>>>(arguments), with their
// values where the text alone shows them, and the instances of templates that they need. Method: a scan of
// the tokens; no C++ is compiled. What is not understood stays the expression of the source. A launch in a
// template counts once for each list of arguments that the text gives to that template. Source: CUDA C++
// Programming Guide, "Execution Configuration". Tests: tests/unit/compile/host_launches_test.cpp

#pragma once

#include "compile/find_kernels.h"
#include "compile/host_launch.h"
#include "compile/host_types.h"
#include "compile/include_files.h"
#include "compile/source.h"

#include <vector>

namespace lanescope::compile {

/// The launches are in the order of the files and of their text. Those by kernels are none.
struct HostCode {
  std::vector<HostLaunch> launches;
  HostTypes types;
};
/// `files`: read with KeptTokens::All.
HostCode read_host_code(const SourceFiles& files, const std::vector<KernelDeclaration>& kernels,
                        const Options& options);

/// The kernels of all files; those of the source come first. `files`: read with KeptTokens::All.
std::vector<KernelDeclaration> find_kernels(const SourceFiles& files);

}  // namespace lanescope::compile
