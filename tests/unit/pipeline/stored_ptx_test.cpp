#include "pipeline/stored_ptx.h"

#include "support/project_options.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;
TEST(StoredPtx, every_toggle_of_every_lesson_has_its_ptx_and_nothing_else_lies_there) {
  const auto texts = all_lesson_texts(tests::project_options()).value();
  std::set<fs::path> needed;
  for (const LessonText& text : texts) {
    const fs::path file = stored_ptx_file(tests::kProject / "assets", text.job);
    needed.insert(file);
    EXPECT_EQ(file.stem(), text.key);
    EXPECT_TRUE(fs::exists(file)) << text.job.source.file_name << " has changed; run the target store_ptx";
  }
  for (const auto& entry : fs::directory_iterator(tests::kProject / "assets/ptx"))
    EXPECT_TRUE(needed.contains(entry.path()))
        << entry.path() << " is of no lesson; run the target store_ptx";
}

TEST(StoredPtx, the_compiler_still_writes_the_same) {
  const auto compiler = compile::find_compiler(tests::kProject / ".cache/third_party");
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  if (compiler->major() != kStoredMajor || compiler->minor() != kStoredMinor)
    GTEST_SKIP() << "another NVRTC: " << compiler->major() << "." << compiler->minor();
  const auto texts = all_lesson_texts(tests::project_options()).value();
  for (const LessonText& text : texts) {
    const Job& job = text.job;
    const auto compilation = compile::compile(*compiler, job.source, job.options).value();
    ASSERT_TRUE(compilation.ptx) << compilation.log;
    const auto stored = read_text(stored_ptx_file(tests::kProject / "assets", job));
    ASSERT_TRUE(stored);
    ASSERT_EQ(stored_text(job, *compilation.ptx), *stored) << job.source.file_name;
  }
}

}  // namespace
}  // namespace lanescope::pipeline
