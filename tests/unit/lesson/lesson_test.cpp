#include "lesson/lesson.h"

#include "lesson/launch_plan.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

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
      EXPECT_TRUE(std::filesystem::exists(tests::source_dir() / "kernels" / kernel.file) ||
                  std::filesystem::exists(lesson->folder / kernel.file))
          << kernel.file;
      for (const Prose* prose : {&lesson->prose.english, &lesson->prose.french})
        EXPECT_NE(find_part(*prose, Part::Kind::Kernel, kernel.name), nullptr) << name << " " << kernel.name;
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

TEST(Lesson, settings_that_are_the_presets_of_another_kernel_of_the_same_code_choose_its_name) {
  const Lesson lesson = transpose();
  const Settings tiled = flipped(lesson, initial_settings(lesson), "kernel", "tiled");
  const Settings padded = flipped(lesson, tiled, "padding", "1");
  EXPECT_EQ(padded.kernel, "padded");
  EXPECT_EQ(flipped(lesson, padded, "order", "diagonal").kernel, "diagonal");
  EXPECT_EQ(flipped(lesson, padded, "padding", "0").kernel, "tiled");
  // No kernel is named for a padding of two: the last name stays.
  EXPECT_EQ(flipped(lesson, padded, "padding", "2").kernel, "padded");
  const Settings naive = flipped(lesson, tiled, "kernel", "naive");
  EXPECT_EQ(flipped(lesson, naive, "order", "diagonal").kernel, "naive");
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
  // padding 4, swizzle 1, order 1, tile 1, size 5, element 4, kernel: 9 less tiled itself, and less padded
  // and swizzled, which are flips of the padding and the swizzle.
  EXPECT_EQ(flips.size(), 4u + 1 + 1 + 1 + 7 + 4 + 8);
}

/// A lesson.toml in a separate folder.
class Written : public testing::Test {
 protected:
  Result<Lesson> read(const std::string& text) const {
    std::ofstream(folder_ / kLessonFile) << text;
    return read_lesson(folder_.path());
  }
  /// The first complaint, "LINE: message"; empty: none.
  std::string problem_of(const std::string& text) const {
    const auto lesson = read(text);
    if (lesson) return "";
    return std::to_string(lesson.error().where->line) + ": " + lesson.error().message;
  }
  const tests::TemporaryFolder folder_{"lesson"};
};
class LessonFile : public Written {};

/// Line 1 to 7, then what is given.
std::string lesson_text(const std::string& more) {
  return "title = \"T\"\norder = 1\n[launch]\ngrid = [1]\nblock = [32]\n"
         "buffers = [{name = \"out\", type = \"u32\", shape = [32]}]\narguments = [\"out\"]\n" +
         more;
}
std::string kernel_text(const std::string& more) {
  return "[[kernels]]\nname = \"first\"\nlabel = \"F\"\nhazards = false\nfile = \"a.cu\"\nentry = \"a\"\n" +
         more;
}
std::string toggle_text(const std::string& name, const std::string& more) {
  return "[[toggles]]\nname = \"" + name + "\"\nlabel = \"L\"\nhint = \"h\"\n" + more;
}
const std::string kPadding =
    toggle_text("padding", "initial = \"0\"\nchoices = [{value = \"0\"}, {value = \"1\"}]\n");

TEST_F(LessonFile, that_is_broken_is_an_error_with_its_line) {
  EXPECT_EQ(read("order = 1\nkernel = 5\n").error().kind, ErrorKind::Syntax);
  EXPECT_EQ(read("order = 1\nkernel =\n").error().where->line, 2);
  const auto missing = read_lesson(folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::File);
}

TEST_F(LessonFile, a_kernel_may_name_the_architecture_that_it_is_compiled_for) {
  EXPECT_EQ(read(lesson_text(kernel_text("arch = \"sm_90a\"\n"))).value().kernels[0].arch, "sm_90a");
  EXPECT_EQ(read(lesson_text(kernel_text(""))).value().kernels[0].arch, "");
  EXPECT_EQ(problem_of(lesson_text(kernel_text("arch = \"hopper\"\n"))),
            "14: 'arch' is an architecture such as \"sm_90a\"");
}

TEST_F(LessonFile, presets_are_values_that_their_toggles_have) {
  const std::string second =
      "[[kernels]]\nname = \"second\"\nlabel = \"S\"\nhazards = false\nfile = \"a.cu\"\n"
      "entry = \"a\"\n";
  const auto good = read(lesson_text(kernel_text("") + second + "presets = {padding = \"1\"}\n" + kPadding));
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(with_toggle(*good, initial_settings(*good), "kernel", "second")->values.at("padding"), "1");
  EXPECT_EQ(problem_of(lesson_text(kernel_text("") + second + "presets = {padding = \"7\"}\n" + kPadding)),
            "20: toggle 'padding' has no value '7'; choose one of: 0, 1");
}

TEST_F(LessonFile, gives_no_name_twice) {
  const std::string choice = "initial = \"0\"\nchoices = [{value = \"0\"}]\n";
  const auto with = [&](const std::string& more) {
    return problem_of(lesson_text(kernel_text("") + kPadding + more));
  };
  EXPECT_EQ(with(toggle_text("order", choice)), "");
  EXPECT_NE(with(toggle_text("padding", choice)).find("two toggles"), std::string::npos);
  EXPECT_NE(with(toggle_text("kernel", choice)).find("two toggles"), std::string::npos);
  EXPECT_NE(with(toggle_text("order", "initial = \"0\"\nchoices = [{value = \"0\"}, {value = \"0\"}]\n"))
                .find("two choices"),
            std::string::npos);
  EXPECT_NE(problem_of(lesson_text(kernel_text("") + kernel_text(""))).find("two kernels"),
            std::string::npos);
}

TEST_F(LessonFile, begins_each_toggle_with_a_value_that_it_takes) {
  const std::string choices = "choices = [{value = \"0\"}]\n";
  const std::string free = "free = {kind = \"matrix\", minimum = 1, maximum = 128}\n";
  const auto with = [&](const std::string& more) { return problem_of(lesson_text(kernel_text("") + more)); };
  EXPECT_NE(with(toggle_text("order", "initial = \"5\"\n" + choices)).find("no value '5'"),
            std::string::npos);
  EXPECT_NE(with(toggle_text("size", free + "initial = \"wide\"\n" + choices)).find("'wide'"),
            std::string::npos);
  EXPECT_NE(with(toggle_text("size", free + "initial = \"129\"\n" + choices)).find("1 to 128"),
            std::string::npos);
  EXPECT_EQ(with(toggle_text("size", free + "initial = \"96\"\n" + choices)), "");
  const std::string number = "free = {kind = \"number\", minimum = 0, maximum = 31}\n";
  EXPECT_EQ(with(toggle_text("offset", number + "initial = \"31\"\n" + choices)), "");
  EXPECT_NE(with(toggle_text("offset", number + "initial = \"32\"\n" + choices)).find("0 to 31"),
            std::string::npos);
}

TEST_F(LessonFile, keys_are_free_letters) {
  const auto with = [&](const std::string& key) {
    return problem_of(lesson_text(
        kernel_text("") +
        toggle_text("first", "key = \"P\"\ninitial = \"0\"\nchoices = [{value = \"0\"}]\n") +
        toggle_text("second", "key = \"" + key + "\"\ninitial = \"0\"\nchoices = [{value = \"0\"}]\n")));
  };
  EXPECT_EQ(with("A"), "");
  EXPECT_NE(with("P").find("same key"), std::string::npos);
  EXPECT_NE(with("K").find("window's own"), std::string::npos);
  EXPECT_NE(with("L").find("window's own"), std::string::npos);
  EXPECT_NE(with("p").find("A to Z"), std::string::npos);
}

struct Wrong {
  const char* name;
  std::string text;
  const char* line_and_words;
};
class WrongLesson : public Written, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongLesson, is_told_with_its_line) {
  EXPECT_EQ(problem_of(GetParam().text).substr(0, std::string_view(GetParam().line_and_words).size()),
            GetParam().line_and_words);
}

INSTANTIATE_TEST_SUITE_P(
    Lesson, WrongLesson,
    testing::Values(
        Wrong{"a_misspelled_key", lesson_text(kernel_text("toogles = []\n")),
              "14: 'toogles' is unknown here"},
        Wrong{"a_file_elsewhere", "title = \"T\"\norder = 1\nheaders = [\"../secret.h\"]\n",
              "3: '../secret.h'"},
        Wrong{"an_unknown_toggle_in_the_grid",
              "title = \"T\"\norder = 1\n[launch]\ngrid = [\"n + 1\"]\nblock = [32]\narguments = []\n" +
                  kernel_text(""),
              "4: 'n + 1' names 'n', which is no toggle"},
        Wrong{"an_unknown_buffer",
              "title = \"T\"\norder = 1\n[launch]\ngrid = [1]\nblock = [32]\narguments = [\"in\"]\n" +
                  kernel_text(""),
              "6: 'in' is no buffer"},
        Wrong{"an_unknown_type",
              "title = \"T\"\norder = 1\n[launch]\ngrid = [1]\nblock = [32]\narguments = [\"int: 1\"]\n" +
                  kernel_text(""),
              "6: 'int' is no type"},
        Wrong{"an_unknown_rule",
              lesson_text(kernel_text("expect = {rule = \"sort\", of = \"out\", buffer = \"out\"}\n")),
              "14: there is no rule 'sort'"},
        Wrong{"an_unknown_reference",
              lesson_text(kernel_text("expect = {reference = \"plain\", buffer = \"out\"}\n")),
              "14: there is no kernel or reference 'plain'"},
        Wrong{"contents_from_a_file",
              "title = \"T\"\norder = 1\n[launch]\ngrid = [1]\nblock = [32]\narguments = []\n"
              "buffers = [{name = \"a\", type = \"u8\", shape = [1], contents = \"file(/etc/passwd)\"}]\n" +
                  kernel_text(""),
              "7: 'contents' of buffer 'a'"},
        Wrong{"a_hint_for_no_toggle", lesson_text(kernel_text("") + "[hints]\nbanks = [\"pading\"]\n"),
              "15: there is no toggle 'pading'"},
        Wrong{"a_size_of_no_toggle", "size = \"n\"\n" + lesson_text(kernel_text("")),
              "1: there is no toggle 'n'"}),
    [](const auto& given) { return given.param.name; });

TEST(Lesson, a_folder_is_given_by_its_path) {
  const auto lesson = find_lesson("nowhere", (kLessons / "transpose").string());
  ASSERT_TRUE(lesson) << describe(lesson.error());
  EXPECT_EQ(lesson->name, "transpose");
}

TEST(Lesson, the_first_one_is_found_without_a_name) {
  EXPECT_EQ(find_lesson(kLessons, "")->name, lesson_names(kLessons).front());
}

TEST(LaunchPlan, a_ragged_matrix_gets_a_block_more_in_each_direction) {
  const Lesson lesson = transpose();
  const Settings settings = flipped(lesson, initial_settings(lesson), "size", "33x65");
  const auto launch = make_launch(lesson, kernel_of(lesson, settings), settings).value();
  EXPECT_EQ(launch.grid, (Dim3{2, 3, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(launch.buffers[0].shape, (std::vector<uint64_t>{65, 33}));
  EXPECT_EQ(launch.buffers[1].shape, (std::vector<uint64_t>{33, 65}));
  EXPECT_EQ(launch.buffers[0].initial->size(), 33u * 65 * 4);
  EXPECT_TRUE(launch.buffers[0].has_contents);
  EXPECT_FALSE(launch.buffers[1].has_contents);
  ASSERT_EQ(launch.arguments.size(), 4u);
  EXPECT_EQ(std::get<launch::Value>(launch.arguments[2]).bytes[0], std::byte{33});
  EXPECT_EQ(std::get<launch::Value>(launch.arguments[3]).bytes[0], std::byte{65});
}

TEST(LaunchPlan, buffers_that_hold_the_same_are_shared) {
  const Lesson lesson = transpose();
  const Settings settings = flipped(lesson, initial_settings(lesson), "size", "64");
  const Kernel& kernel = kernel_of(lesson, settings);
  const auto first = make_launch(lesson, kernel, settings).value();
  const auto padded = make_launch(lesson, kernel, flipped(lesson, settings, "padding", "1"), &first).value();
  EXPECT_EQ(padded.buffers[0].initial, first.buffers[0].initial);
  const auto wide = make_launch(lesson, kernel, flipped(lesson, settings, "element", "8"), &first).value();
  EXPECT_NE(wide.buffers[0].initial, first.buffers[0].initial);
}

TEST_F(LessonFile, launch_is_replaced_key_by_key_by_a_kernel) {
  const auto lesson = read(lesson_text(
      kernel_text("") +
      "[[references]]\nname = \"plain\"\nfile = \"a.cu\"\nentry = \"b\"\nlaunch = {block = [1]}\n" +
      kPadding));
  ASSERT_TRUE(lesson) << describe(lesson.error());
  const Settings settings = initial_settings(*lesson);
  EXPECT_EQ(make_launch(*lesson, lesson->kernels[0], settings)->block, (Dim3{32, 1, 1}));
  const auto plain = make_launch(*lesson, *find_kernel(*lesson, "plain"), settings).value();
  EXPECT_EQ(plain.block, (Dim3{1, 1, 1}));
  EXPECT_EQ(plain.buffers.size(), 1u);
}

TEST_F(LessonFile, a_launch_that_no_device_takes_is_told_with_its_line) {
  const auto lesson = read(
      "title = \"T\"\norder = 1\n[launch]\ngrid = [\"padding - 1\"]\nblock = [32]\n"
      "arguments = []\n" +
      kernel_text("toggles = [\"padding\"]\n") + kPadding);
  ASSERT_TRUE(lesson) << describe(lesson.error());
  const auto launch = make_launch(*lesson, lesson->kernels[0], initial_settings(*lesson));
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.error().where->line, 4);
  EXPECT_NE(launch.error().message.find("'padding - 1' is -1"), std::string::npos) << launch.error().message;
}

TEST(Lesson, a_recorded_size_is_one_number) {
  const Lesson lesson = transpose();
  const Settings settings = initial_settings(lesson);
  EXPECT_EQ(recorded_size(lesson, flipped(lesson, settings, "size", "2048")), 2048u);
  EXPECT_EQ(recorded_size(lesson, flipped(lesson, settings, "size", "64x64")), 64u);
  EXPECT_EQ(recorded_size(lesson, flipped(lesson, settings, "size", "64x32")), std::nullopt);
}

}  // namespace
}  // namespace lanescope::lesson
