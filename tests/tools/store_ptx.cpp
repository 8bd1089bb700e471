// Makes assets/ptx again: ninja -C build store_ptx && build/tests/tools/store_ptx
// With a folder, writes every text that the toggles of the lessons can make there, for tests on a machine
// without a compiler: build/tests/tools/store_ptx FOLDER

#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "support/project.h"

#include <cstdio>
#include <fstream>

#include <fmt/format.h>

namespace {

using namespace lanescope;

Result<size_t> store_every_text(const pipeline::Options& options, const std::filesystem::path& folder) {
  TRY(const auto texts, pipeline::all_lesson_texts(options));
  pipeline::Execution execution(options);
  std::filesystem::create_directories(folder);
  for (const pipeline::LessonText& text : texts) {
    TRY(const std::string ptx, execution.compiler().ptx_text(text.job));
    std::ofstream(folder / (text.key + ".ptx"), std::ios::binary) << pipeline::stored_text(text.job, ptx);
  }
  return texts.size();
}

}  // namespace

int main(int count, char** words) {
  const std::filesystem::path project = lanescope::tests::source_dir();
  pipeline::Options options;
  options.assets = project / "assets";
  options.kernels = project / "kernels";
  options.fetched = project / ".cache/third_party";
  options.cache = project / ".cache/ptx";
  const auto compiler = compile::find_compiler(options.fetched);
  const auto written = count > 1  ? store_every_text(options, words[1])
                       : compiler ? pipeline::store_all(options, *compiler)
                                  : Result<size_t>(std::unexpected(compiler.error()));
  if (!written) {
    fmt::print(stderr, "{}\n", describe(written.error()));
    return 1;
  }
  fmt::print("{} files written\n", *written);
  return 0;
}
