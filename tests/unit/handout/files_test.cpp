#include "handout/files.h"

#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::handout {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Pair;

class HandoutFiles : public testing::Test {
 protected:
  size_t texts_of(const std::vector<std::string>& words) {
    const Offer offer = *parse_offer(lesson_, words);
    const PackedFiles files =
        *files_of(lesson_, lesson::initial_settings(lesson_), offer,
                  *model::find_device(options_.assets / "devices", "gt200"), options_, execution_);
    EXPECT_EQ(files.without_ptx, 0u) << files.reason;
    for (const char* name : {"/assets/lessons/transpose/lesson.toml", "/assets/lessons/transpose/french.md",
                             "/assets/devices/gt200.toml", "/kernels/transpose_tiled.cu", "/kernels/tile.h"})
      EXPECT_THAT(files.texts, Contains(Key(name)));
    return static_cast<size_t>(std::ranges::count_if(
        files.texts, [](const auto& file) { return file.first.starts_with("/assets/ptx/transpose/"); }));
  }

  pipeline::Options options_ = tests::project_options();
  lesson::Lesson lesson_ = *lesson::find_lesson(options_.assets / "lessons", "transpose");
  pipeline::Execution execution_{options_};
};

/// The kernels at the settings of the four questions: naive, tiled, coarse-grained without padding, and
/// Apple's with the reference that its output is compared with. Padding 1 is one text more.
TEST_F(HandoutFiles, have_the_ptx_of_what_is_offered) {
  EXPECT_EQ(texts_of({"size=128"}), 5u);
  EXPECT_EQ(texts_of({"padding=0,1"}), 6u);
  EXPECT_EQ(texts_of({"padding=0,1", "swizzle"}), 8u);
}

/// The lesson begins with a photograph, and draws nothing without it.
TEST_F(HandoutFiles, have_the_picture_that_a_buffer_begins_with) {
  lesson_ = *lesson::find_lesson(options_.assets / "lessons", "sobel");
  const PackedFiles files =
      *files_of(lesson_, lesson::initial_settings(lesson_), {},
                *model::find_device(options_.assets / "devices", "h200"), options_, execution_);
  EXPECT_EQ(files.bytes.at("/assets/lessons/sobel/picture.png").substr(1, 3), "PNG");
}

/// It may have the name of one of the program's.
TEST_F(HandoutFiles, have_the_device_of_ones_own) {
  const tests::TemporaryFolder folder("handout_device");
  std::filesystem::copy_file(options_.assets / "devices/gt200.toml", folder / "h200.toml");
  options_.own_devices = folder.path();
  const auto device = model::find_device({}, (folder / "h200.toml").string());
  ASSERT_TRUE(device) << describe(device.error());
  PackedFiles files;
  ASSERT_TRUE(add_device(files, *device, options_));
  EXPECT_THAT(files.texts.at("/assets/devices/h200.toml"), HasSubstr("GeForce GTX 280"));
}

TEST_F(HandoutFiles, an_offer_is_what_the_author_names) {
  EXPECT_THAT(
      *parse_offer(lesson_, {"swizzle", "size=128,100"}),
      ElementsAre(Pair("swizzle", ElementsAre("off", "xor")), Pair("size", ElementsAre("128", "100"))));
  EXPECT_EQ(parse_offer(lesson_, {})->size(), lesson_.toggles.size() + 1);
}

TEST_F(HandoutFiles, an_offer_that_there_is_not_is_a_sentence) {
  EXPECT_THAT(parse_offer(lesson_, {"paddin"}).error().message, HasSubstr("padding"));
  EXPECT_THAT(parse_offer(lesson_, {"padding=9"}).error().message, HasSubstr("9"));
  EXPECT_THAT(parse_offer(lesson_, {"padding", "padding=1"}).error().message, HasSubstr("twice"));
  EXPECT_THAT(parse_offer(lesson_, {"kernel=none"}).error().message, HasSubstr("tiled"));
  EXPECT_FALSE(parse_offer(lesson_, {""}));
}

}  // namespace
}  // namespace lanescope::handout
