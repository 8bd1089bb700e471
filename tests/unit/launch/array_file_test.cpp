// Arrays in files: .npy of every kind of mismatch, images of libpng's own making.

#include "launch/array_file.h"

#include "launch/argument_spec.h"
#include "support/temporary_folder.h"

#include <array>
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ArrayFile : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view bytes) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// An image of 2 rows of 3 pixels, or of another size.
  std::string write_png(png_uint_32 format, std::span<const uint8_t> pixels, png_uint_32 height = 2,
                        png_uint_32 width = 3) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    const std::string path = (folder_ / "image.png").string();
    EXPECT_NE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr), 0);
    return path;
  }
  static Error refusal(const std::string& spec) {
    Launch launch;
    const auto added = add_argument(launch, spec);
    return added ? Error{} : added.error();
  }

  tests::TemporaryFolder folder_{"array"};
};

TEST_F(ArrayFile, npy_gives_type_shape_and_elements) {
  const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
  const auto bytes = std::as_bytes(std::span(values));
  const std::string path = write("a.npy", array_file("a.npy", ElementType::F32, {2, 3}, bytes));
  Launch launch;
  ASSERT_TRUE(add_argument(launch, "a=file(" + path + ")"));
  ASSERT_TRUE(add_argument(launch, "f32[6]:file(" + path + ")"));
  EXPECT_EQ(launch.buffers[0].name, "a");
  EXPECT_EQ(launch.buffers[0].type, ElementType::F32);
  EXPECT_THAT(launch.buffers[0].shape, ElementsAre(2, 3));
  EXPECT_EQ(std::memcmp(launch.buffers[0].initial->data(), values.data(), sizeof values), 0);
  EXPECT_EQ(*launch.buffers[1].initial, *launch.buffers[0].initial);
  EXPECT_THAT(refusal("f32[7]:file(" + path + ")").message, HasSubstr("f32[7] and the file holds f32[2x3]"));
  EXPECT_THAT(refusal("i32[6]:file(" + path + ")").message, HasSubstr("i32[6] and the file holds f32[2x3]"));
}

TEST_F(ArrayFile, a_npy_that_is_too_short_or_empty_is_refused) {
  const std::string header = array_file("a.npy", ElementType::F32, {2, 3}, {});
  EXPECT_THAT(refusal("file(" + write("a.npy", header) + ")").message,
              HasSubstr("ends before the 6 elements"));
  const std::string none = array_file("b.npy", ElementType::F32, {0}, {});
  EXPECT_THAT(refusal("file(" + write("b.npy", none) + ")").message, HasSubstr("at least one element"));
  const std::string huge = array_file("c.npy", ElementType::F32, {1ull << 40, 1ull << 40}, {});
  EXPECT_EQ(refusal("file(" + write("c.npy", huge) + ")").kind, ErrorKind::Limit);
}

TEST_F(ArrayFile, a_gray_image_has_a_byte_for_each_pixel) {
  const std::string path = write_png(PNG_FORMAT_GRAY, std::array<uint8_t, 6>{0, 51, 102, 153, 204, 255});
  Launch launch;
  ASSERT_TRUE(add_argument(launch, "file(" + path + ")"));
  EXPECT_EQ(launch.buffers[0].type, ElementType::U8);
  EXPECT_THAT(launch.buffers[0].shape, ElementsAre(2, 3));
  EXPECT_EQ((*launch.buffers[0].initial)[4], std::byte{204});
  ASSERT_TRUE(add_argument(launch, "f32[2x3]:file(" + path + ")"));
  float value = 0;
  std::memcpy(&value, launch.buffers[1].initial->data() + 4, sizeof value);
  EXPECT_EQ(value, 0.2f);
}

TEST_F(ArrayFile, an_image_in_color_has_three_channels) {
  std::array<uint8_t, 18> pixels{};
  pixels[0] = 255;
  pixels[17] = 7;
  const std::string path = write_png(PNG_FORMAT_RGB, pixels);
  Launch launch;
  ASSERT_TRUE(add_argument(launch, "file(" + path + ")"));
  EXPECT_THAT(launch.buffers[0].shape, ElementsAre(2, 3, 3));
  EXPECT_EQ((*launch.buffers[0].initial)[17], std::byte{7});
  EXPECT_THAT(refusal("u8[3x2]:file(" + path + ")").message, HasSubstr("the image 2 x 3 (height x width)"));
  EXPECT_THAT(refusal("i32[2x3]:file(" + path + ")").message, HasSubstr("u8 or f32"));
}

TEST_F(ArrayFile, an_image_that_unpacks_to_much_more_than_its_file_is_refused) {
  const std::vector<uint8_t> pixels(8193 * 8192);
  const std::string path = write_png(PNG_FORMAT_GRAY, pixels, 8193, 8192);
  EXPECT_LT(std::filesystem::file_size(path), 1u << 20);
  EXPECT_THAT(refusal("file(" + path + ")").message,
              HasSubstr("8192 x 8193 pixels, and at most 67108864 are read"));
}

TEST_F(ArrayFile, a_damaged_image_is_an_error) {
  std::array<uint8_t, 18> pixels{};
  const std::string path = write_png(PNG_FORMAT_RGB, pixels);
  std::ifstream stream(path, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    (void)refusal("file(" + write("bad.png", bad) + ")");
    // Without its last chunk, which is empty, an image is whole.
    if (at + 16 < good.size()) {
      EXPECT_EQ(refusal("file(" + write("bad.png", good.substr(0, at)) + ")").kind, ErrorKind::File) << at;
    }
  }
}

TEST_F(ArrayFile, raw_bytes_need_a_type) {
  EXPECT_THAT(refusal("file(" + write("a.raw", "abcd") + ")").message, HasSubstr("neither type nor count"));
}

}  // namespace
}  // namespace lanescope::launch
