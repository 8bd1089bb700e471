// Makes assets/ptx anew: ninja -C build store_ptx && build/tests/tools/store_ptx

#include "pipeline/stored_ptx.h"
#include "support/project.h"

#include <cstdio>

#include <fmt/format.h>

int main() {
  using namespace lanescope;
  const std::filesystem::path project = lanescope::tests::source_dir();
  pipeline::Options options;
  options.assets = project / "assets";
  options.kernels = project / "kernels";
  const auto compiler = compile::find_compiler(project / ".cache/third_party");
  const auto written =
      compiler ? pipeline::store_all(options, *compiler) : Result<size_t>(std::unexpected(compiler.error()));
  if (!written) {
    fmt::print(stderr, "{}\n", describe(written.error()));
    return 1;
  }
  fmt::print("{} files written\n", *written);
  return 0;
}
