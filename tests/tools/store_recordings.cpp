// Regenerates assets/recordings/README.md: ninja store_recordings && build/tests/tools/store_recordings

#include "recordings/recording_table.h"
#include "support/project.h"

#include <fstream>

#include <fmt/format.h>

int main() {
  const std::filesystem::path project = lanescope::tests::source_dir();
  lanescope::pipeline::Options options;
  options.assets = project / "assets";
  options.kernels = project / "kernels";
  options.fetched = project / ".cache/third_party";
  options.cache = project / ".cache/ptx";
  const auto text = lanescope::recordings::recording_tables(options);
  if (!text) {
    fmt::print(stderr, "{}\n", lanescope::describe(text.error()));
    return 1;
  }
  std::ofstream(options.assets / "recordings/README.md") << *text;
  return 0;
}
