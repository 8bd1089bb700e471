#include "recordings/kernel_key.h"

#include "recordings/recording.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

namespace fs = std::filesystem;

TEST(BarePtx, has_no_comments_lines_or_debug_sections) {
  EXPECT_EQ(
      bare_ptx(
          "// NVRTC\n.version 9.0\n\n  .loc 1 2 3\n\t.loc\t2 3 4, function_name $L__info, inlined_at 1 2 3\n"
          "add.s32 %r1, %r2, 3; // three\n/* a\n b */ ret;\n.file 1 \"a.cu\"\n.section .debug_str\n{\n"
          "$L__info:\n.b8 95,0\n}\nlast;\n"),
      ".version 9.0\nadd.s32 %r1, %r2, 3;\nret;\nlast;\n");
}

TEST(KernelKey, is_of_the_instructions_the_entry_and_the_launch) {
  const std::string key = kernel_key("ret;", "k", "1,1,1;");
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(kernel_key("// a\n ret;\n", "k", "1,1,1;"), kernel_key("ret;\n", "k", "1,1,1;"));
  EXPECT_NE(kernel_key("exit;", "k", "1,1,1;"), key);
  EXPECT_NE(kernel_key("ret;", "j", "1,1,1;"), key);
  EXPECT_NE(kernel_key("ret;", "k", "2,1,1;"), key);
}

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A copy of a lesson and its kernels that can be edited.
class EditedLesson : public testing::Test {
 protected:
  EditedLesson() {
    fs::copy(options_.kernels, folder_ / "kernels");
    fs::copy(options_.assets / "lessons/transpose", folder_ / "transpose");
    options_.kernels = folder_ / "kernels";
    options_.cache = folder_ / "cache";
  }

  void edit(const fs::path& file, const std::string& from, const std::string& to) const {
    std::string text = read(folder_ / file);
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::ofstream(folder_ / file) << text.replace(at, from.size(), to);
    // Written within the clock's grain, it would look as old as before.
    fs::last_write_time(folder_ / file, fs::file_time_type::clock::now() + std::chrono::seconds(2));
  }

  Result<std::string> key(const std::string& kernel) {
    TRY(const lesson::Lesson lesson, lesson::read_lesson(folder_ / "transpose"));
    TRY(const lesson::Settings settings,
        lesson::with_toggle(lesson, lesson::initial_settings(lesson), "kernel", kernel));
    return keys_.key_of(lesson, settings, options_, execution_);
  }

  const tests::TemporaryFolder folder_{"edited"};
  pipeline::Options options_ = tests::project_options();
  pipeline::Execution execution_{options_};
  KernelKeys keys_;
  Recording recording_ = read_recordings(options_.assets / "recordings").by_name.at("h200");
};

TEST_F(EditedLesson, a_comment_or_a_new_toggle_that_is_off_keeps_the_recorded_times) {
  const auto before = key("padded");
  if (!before && before.error().kind == ErrorKind::File) GTEST_SKIP() << before.error().message;
  ASSERT_TRUE(before) << describe(before.error());
  ASSERT_NE(find_times(recording_, *before, 1024), nullptr);

  edit("kernels/transpose_tiled.cu", "#include", "// Another comment, and lines that move.\n\n#include");
  edit("kernels/tile.h", "#pragma once",
       "// And one in the header.\n#pragma once\n#ifndef TWICE\n#define TWICE 0\n#endif");
  EXPECT_EQ(key("padded"), *before);

  edit("kernels/transpose_tiled.cu", "__syncthreads();", "if (TWICE) __syncthreads();\n  __syncthreads();");
  edit("transpose/lesson.toml",
       "toggles = [\"padding\", \"swizzle\", \"order\", \"tile\", \"size\", \"element\"]\npresets = {padding "
       "= \"1\", swizzle = \"off\", order = \"row-major\"}",
       "toggles = [\"padding\", \"swizzle\", \"order\", \"tile\", \"size\", \"element\", \"twice\"]\npresets "
       "= {padding = \"1\", swizzle = \"off\", order = \"row-major\"}");
  edit("transpose/lesson.toml", "[[toggles]]",
       "[[toggles]]\nname = \"twice\"\ndefine = \"TWICE\"\ninitial = \"0\"\nlabel = \"Twice\"\nhint = \"A "
       "second "
       "barrier\"\nchoices = [{value = \"0\"}, {value = \"1\"}]\n\n[[toggles]]");
  const auto off = key("padded");
  ASSERT_TRUE(off) << describe(off.error());
  EXPECT_EQ(*off, *before);
}

TEST_F(EditedLesson, another_instruction_or_another_launch_has_another_key) {
  const auto before = key("padded");
  if (!before && before.error().kind == ErrorKind::File) GTEST_SKIP() << before.error().message;
  ASSERT_TRUE(before) << describe(before.error());
  edit("transpose/lesson.toml", "block = [\"tile\", 8]", "block = [\"tile\", 4]");
  const auto launched = key("padded");
  ASSERT_TRUE(launched) << describe(launched.error());
  EXPECT_NE(*launched, *before);
  edit("kernels/transpose_tiled.cu", "__syncthreads();", "__syncthreads();\n  __syncthreads();");
  const auto changed = key("padded");
  ASSERT_TRUE(changed) << describe(changed.error());
  EXPECT_NE(*changed, *launched);
}

}  // namespace
}  // namespace lanescope::recordings
