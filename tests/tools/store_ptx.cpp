// Makes assets/ptx again: ninja -C build store_ptx && build/tests/tools/store_ptx
// With a folder, writes every text that the toggles of the lessons can make there, for tests on a machine
// without a compiler: build/tests/tools/store_ptx FOLDER
// For a page, the same in a file for each lesson (pipeline/packed_texts.h): build/tests/tools/store_ptx
// FOLDER packed

#include "base/file.h"
#include "pipeline/execution.h"
#include "pipeline/packed_texts.h"
#include "pipeline/stored_ptx.h"
#include "support/project.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <string>

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

Result<size_t> pack_every_text(const pipeline::Options& options, const std::filesystem::path& folder) {
  TRY(const auto texts, pipeline::all_lesson_texts(options));
  pipeline::Execution execution(options);
  std::filesystem::create_directories(folder);
  std::map<std::string, std::string> of_lessons;
  for (const pipeline::LessonText& text : texts) {
    TRY(const std::string ptx, execution.compiler().ptx_text(text.job));
    of_lessons[text.lesson] += pipeline::packed(text.key + ".ptx", pipeline::stored_text(text.job, ptx));
  }
  for (const auto& [lesson, content] : of_lessons) TRY_VOID(write_file(folder / lesson, content));
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
  const auto written = count > 2   ? pack_every_text(options, words[1])
                       : count > 1 ? store_every_text(options, words[1])
                       : compiler  ? pipeline::store_all(options, *compiler)
                                   : Result<size_t>(std::unexpected(compiler.error()));
  if (!written) {
    fmt::print(stderr, "{}\n", describe(written.error()));
    return 1;
  }
  fmt::print("{} files written\n", *written);
  return 0;
}
