#include "lesson/lesson.h"

#include "lesson/matrix_launch.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::lesson {
namespace {

const std::filesystem::path kLessons = tests::source_dir() / "assets/lessons";

Lesson transpose() { return find_lesson(kLessons, "transpose").value(); }

Settings flipped(const Lesson& lesson, Settings settings, std::string_view name, std::string_view value) {
  return with_toggle(lesson, settings, name, value).value();
}

TEST(Lesson, every_lesson_loads_and_its_kernels_exist) {
  for (const std::string& name : lesson_names(kLessons)) {
    const auto lesson = find_lesson(kLessons, name);
    ASSERT_TRUE(lesson) << describe(lesson.error());
    for (const Kernel& kernel : lesson->kernels) {
      EXPECT_TRUE(std::filesystem::exists(tests::source_dir() / "kernels" / kernel.file));
      EXPECT_FALSE(kernel.text.french.empty());
    }
  }
}

TEST(Lesson, an_unknown_lesson_lists_those_there_are) {
  const auto lesson = find_lesson(kLessons, "nonsense");
  ASSERT_FALSE(lesson);
  EXPECT_EQ(lesson.error().kind, ErrorKind::Usage);
  EXPECT_NE(lesson.error().message.find("transpose"), std::string::npos);
}

TEST(Lesson, choosing_the_padded_kernel_sets_its_padding) {
  const Lesson lesson = transpose();
  const Settings padded = flipped(lesson, initial_settings(lesson), "kernel", "padded");
  EXPECT_EQ(padded.values.at("padding"), "1");
  EXPECT_EQ(defines(lesson, padded),
            (std::vector<std::string>{"DIAGONAL=0", "ELEMENT_BYTES=4", "PADDING=1", "SWIZZLE=0", "TILE=32"}));
}

TEST(Lesson, a_toggle_that_means_nothing_to_the_kernel_defines_nothing) {
  const Lesson lesson = transpose();
  const Settings naive = flipped(lesson, initial_settings(lesson), "kernel", "naive");
  EXPECT_EQ(defines(lesson, naive), (std::vector<std::string>{"DIAGONAL=0", "ELEMENT_BYTES=4", "TILE=32"}));
}

TEST(Lesson, a_named_choice_has_its_own_macro_value) {
  const Lesson lesson = transpose();
  const auto out = defines(lesson, flipped(lesson, initial_settings(lesson), "order", "diagonal"));
  EXPECT_NE(std::ranges::find(out, "DIAGONAL=1"), out.end());
}

TEST(Lesson, a_wrong_toggle_or_value_lists_what_there_is) {
  const Lesson lesson = transpose();
  const Settings settings = initial_settings(lesson);
  EXPECT_NE(with_toggle(lesson, settings, "colour", "1").error().message.find("padding"), std::string::npos);
  EXPECT_NE(with_toggle(lesson, settings, "padding", "9").error().message.find("0, 1, 2, 3, 4"),
            std::string::npos);
  EXPECT_NE(with_toggle(lesson, settings, "kernel", "best").error().message.find("naive"), std::string::npos);
  EXPECT_FALSE(with_toggle(lesson, settings, "size", "0"));
  EXPECT_FALSE(with_toggle(lesson, settings, "size", "12x"));
  EXPECT_TRUE(with_toggle(lesson, settings, "size", "33x65"));
}

TEST(Lesson, single_flips_are_all_that_differ_in_one_choice) {
  const Lesson lesson = transpose();
  const auto flips = single_flips(lesson, initial_settings(lesson));
  // padding 4, swizzle 1, order 1, tile 1, size 5, element 4, kernel: 9 less the one that is tiled itself.
  EXPECT_EQ(flips.size(), 4u + 1 + 1 + 1 + 5 + 4 + 8);
}

TEST(Lesson, a_broken_file_is_an_error_with_its_line) {
  const tests::TemporaryFolder folder("lesson");
  std::ofstream(folder / "broken.toml") << "launch = \"matrix_tiles\"\nkernel = 5\n";
  const auto lesson = read_lesson(folder / "broken.toml");
  ASSERT_FALSE(lesson);
  EXPECT_EQ(lesson.error().kind, ErrorKind::Syntax);
}

/// A lesson with `toggles` and `kernels` added to one of each.
Result<Lesson> lesson_with(const std::string& toggles, const std::string& kernels) {
  const auto words = [](const char* key) {
    return std::string(key) + " = {english = \"e\", french = \"f\"}\n";
  };
  std::string text = "launch = \"matrix_tiles\"\nkernel = \"first\"\n" + words("title") + words("text");
  const std::string kernel = "file = \"a.cu\"\nentry = \"a\"\n" + words("label") + words("text");
  const std::string toggle = words("label") + words("hint");
  text += "[[kernels]]\nname = \"first\"\n" + kernel;
  if (!kernels.empty()) text += "[[kernels]]\n" + kernel + kernels + "\n";
  text += "[[toggles]]\nname = \"padding\"\ninitial = \"0\"\nchoices = [{value = \"0\"}, {value = \"1\"}]\n" +
          toggle;
  if (!toggles.empty()) text += "[[toggles]]\n" + toggle + toggles + "\n";
  std::string file = (std::filesystem::temp_directory_path() / "lanescope-lesson-XXXXXX").string();
  const int made = mkstemp(file.data());
  if (made < 0) return fail(ErrorKind::File, "no temporary file");
  close(made);
  std::ofstream(file) << text;
  auto lesson = read_lesson(file);
  std::filesystem::remove(file);
  return lesson;
}

std::string problem_of(const Result<Lesson>& lesson) { return lesson ? "" : lesson.error().message; }

TEST(Lesson, a_kernel_presets_a_value_that_its_toggle_has) {
  const auto good = lesson_with("", "name = \"second\"\npresets = {padding = \"1\"}");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(with_toggle(*good, initial_settings(*good), "kernel", "second")->values.at("padding"), "1");
  const auto bad = lesson_with("", "name = \"second\"\npresets = {padding = \"7\"}");
  EXPECT_NE(problem_of(bad).find("no value '7'"), std::string::npos) << problem_of(bad);
}

TEST(Lesson, names_are_not_given_twice) {
  const std::string choice = "\"\ninitial = \"0\"\nchoices = [{value = \"0\"}";
  EXPECT_TRUE(lesson_with("name = \"order" + choice + "]", ""));
  EXPECT_NE(problem_of(lesson_with("name = \"padding" + choice + "]", "")).find("two toggles"),
            std::string::npos);
  EXPECT_NE(problem_of(lesson_with("name = \"kernel" + choice + "]", "")).find("two toggles"),
            std::string::npos);
  EXPECT_NE(problem_of(lesson_with("name = \"order" + choice + ", {value = \"0\"}]", "")).find("two choices"),
            std::string::npos);
  EXPECT_NE(problem_of(lesson_with("", "name = \"first\"")).find("two kernels"), std::string::npos);
}

TEST(Lesson, a_toggle_begins_with_a_value_that_it_takes) {
  const std::string choices = "choices = [{value = \"0\"}]\n";
  EXPECT_NE(problem_of(lesson_with("name = \"order\"\ninitial = \"5\"\n" + choices, "")).find("no value '5'"),
            std::string::npos);
  EXPECT_NE(problem_of(lesson_with("name = \"size\"\nfree = true\ninitial = \"wide\"\n" + choices, ""))
                .find("'wide'"),
            std::string::npos);
  EXPECT_TRUE(lesson_with("name = \"size\"\nfree = true\ninitial = \"96\"\n" + choices, ""));
}

TEST(MatrixLaunch, a_ragged_matrix_gets_a_block_more_in_each_direction) {
  const Lesson lesson = transpose();
  const auto launch = matrix_launch(flipped(lesson, initial_settings(lesson), "size", "33x65")).value();
  EXPECT_EQ(launch.grid, (Dim3{2, 3, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(launch.buffers[0].shape, (std::vector<uint64_t>{65, 33}));
  EXPECT_EQ(launch.buffers[1].shape, (std::vector<uint64_t>{33, 65}));
  EXPECT_EQ(launch.buffers[0].initial->size(), 33u * 65 * 4);
  EXPECT_EQ(launch.arguments.size(), 4u);
}

}  // namespace
}  // namespace lanescope::lesson
