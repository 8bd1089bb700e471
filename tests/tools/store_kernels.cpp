// Regenerates tests/data/kernels, the PTX of tests/kernels: ninja -C build store_kernels &&
// build/tests/tools/store_kernels. Prints what does not compile, with NVRTC's log.

#include "compile/compile.h"
#include "support/kernel_ptx.h"
#include "support/project.h"

#include <cstdio>
#include <fstream>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

Result<size_t> store_all(const std::filesystem::path& project) {
  TRY(const compile::Compiler compiler, compile::find_compiler(project / ".cache/third_party"));
  std::filesystem::create_directories(project / "tests/data/kernels");
  size_t written = 0;
  for (const std::filesystem::path& source : kernel_sources(project)) {
    TRY(const std::string ptx, compile_kernel(compiler, source));
    const std::filesystem::path file = stored_kernel_file(project, source);
    if (const auto before = read_file(file); before && *before == ptx) continue;
    std::ofstream(file, std::ios::binary) << ptx;
    ++written;
  }
  return written;
}

}  // namespace
}  // namespace lanescope::tests

int main() {
  const auto written = lanescope::tests::store_all(lanescope::tests::source_dir());
  if (!written) {
    fmt::print(stderr, "{}\n", describe(written.error()));
    return 1;
  }
  fmt::print("{} files written\n", *written);
  return 0;
}
