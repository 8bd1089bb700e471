#include "pipeline/stored_ptx.h"

#include "base/file.h"
#include "support/project_options.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;

TEST(StoredPtx, every_kernel_of_every_lesson_has_its_ptx_and_nothing_else_lies_there) {
  const auto texts = preset_texts(tests::project_options()).value();
  std::set<fs::path> needed;
  for (const LessonText& text : texts) {
    const fs::path file = stored_ptx_file(tests::kProject / "assets", text);
    needed.insert(file);
    EXPECT_EQ(file.stem(), text.settings.kernel);
    EXPECT_TRUE(find_stored_ptx(tests::kProject / "assets", text.job))
        << text.job.source.file_name << " has changed; run the target store_ptx";
  }
  for (const auto& entry : fs::recursive_directory_iterator(tests::kProject / "assets/ptx"))
    EXPECT_TRUE(entry.is_directory() || needed.contains(entry.path()))
        << entry.path() << " is of no lesson; run the target store_ptx";
}

TEST(StoredPtx, is_found_by_what_was_compiled_and_not_by_the_name_of_the_kernel) {
  const Options options = tests::project_options();
  const auto lesson = lesson::find_lesson(options.assets / "lessons", "transpose").value();
  const auto job_with = [&](const std::vector<std::pair<std::string, std::string>>& toggles) {
    lesson::Settings settings = lesson::initial_settings(lesson);
    for (const auto& [name, value] : toggles)
      settings = lesson::with_toggle(lesson, settings, name, value).value();
    return text_job_of(lesson, settings, options).value();
  };
  const auto tiled = find_stored_ptx(options.assets, job_with({{"padding", "1"}}));
  ASSERT_TRUE(tiled) << "the tiled kernel with padding is the padded one";
  EXPECT_EQ(tiled, find_stored_ptx(options.assets, job_with({{"kernel", "padded"}})));
  EXPECT_FALSE(find_stored_ptx(options.assets, job_with({{"padding", "2"}})));
}

TEST(StoredPtx, the_compiler_still_writes_the_same) {
  const auto compiler = compile::find_compiler(tests::kProject / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  if (compiler->major() != kStoredMajor || compiler->minor() != kStoredMinor)
    GTEST_SKIP() << "another NVRTC: " << compiler->major() << "." << compiler->minor();
  const auto texts = preset_texts(tests::project_options()).value();
  ASSERT_FALSE(texts.empty());
  for (const LessonText& text : texts) {
    compile::Options options = text.job.options;
    options.cache_directory.clear();
    const auto compilation = compile::compile(*compiler, text.job.source, options).value();
    ASSERT_TRUE(compilation.ptx) << compilation.log;
    const auto stored = read_text(stored_ptx_file(tests::kProject / "assets", text));
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored_text(text.job, *compilation.ptx), *stored) << text.job.source.file_name;
  }
}

TEST(StoredPtx, every_toggle_makes_a_text_of_its_own) {
  const Options options = tests::project_options();
  for (const std::string& name : lesson::lesson_names(options.assets / "lessons")) {
    const auto lesson = lesson::find_lesson(options.assets / "lessons", name).value();
    std::set<std::pair<std::string, std::vector<std::string>>> wanted;  // file, macros
    for (const lesson::Kernel& kernel : lesson.kernels) {
      const auto start = lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel.name);
      for (const lesson::Settings& settings : lesson::all_macros(lesson, start.value()))
        wanted.emplace(kernel.file, lesson::defines(lesson, settings));
    }
    EXPECT_EQ(all_texts(lesson, options)->size(), wanted.size()) << name;
  }
}

}  // namespace
}  // namespace lanescope::pipeline
