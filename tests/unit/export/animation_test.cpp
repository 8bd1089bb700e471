#include "export/animation.h"

#include <cairo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// A picture in one gray.
std::string png(int width, int height, double gray) {
  cairo_surface_t* const surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_t* const cairo = cairo_create(surface);
  cairo_set_source_rgb(cairo, gray, gray, gray);
  cairo_paint(cairo);
  std::string bytes;
  cairo_surface_write_to_png_stream(surface, append, &bytes);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return bytes;
}

/// The types of the chunks in their order.
std::vector<std::string> types_of(const std::string& file) {
  std::vector<std::string> types;
  for (size_t at = 8; at + 12 <= file.size();) {
    uint32_t length = 0;
    for (size_t n = 0; n < 4; ++n) length = length << 8 | static_cast<uint8_t>(file[at + n]);
    types.push_back(file.substr(at + 4, 4));
    at += length + 12;
  }
  return types;
}

TEST(Animation, the_first_picture_is_the_still_one_and_others_follow_with_their_delays) {
  const std::vector<AnimationFrame> frames{{png(8, 4, 0), 1500}, {png(8, 4, 1), 2000}};
  const auto file = to_animated_png(frames);
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_THAT(types_of(*file), testing::ElementsAre("IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"));
  const size_t first = file->find("fcTL"), second = file->find("fcTL", first + 4);
  // Of fcTL: sequence number, width, height, two offsets of 4 bytes each, then the delay's numerator.
  const auto delay = [&](size_t at) {
    return static_cast<uint8_t>((*file)[at + 24]) << 8 | static_cast<uint8_t>((*file)[at + 25]);
  };
  EXPECT_EQ(delay(first), 1500);
  EXPECT_EQ(delay(second), 2000);
  EXPECT_EQ((*file)[second + 7], 1) << "fcTL and fdAT are counted together";
  EXPECT_EQ((*file)[file->find("fdAT") + 7], 2);
  // A reader that does not know animations reads the first picture.
  struct Reading {
    const std::string* bytes;
    size_t at;
  } reading{&*file, 0};
  cairo_surface_t* const read = cairo_image_surface_create_from_png_stream(
      [](void* from, unsigned char* data, unsigned int length) {
        auto& reader = *static_cast<Reading*>(from);
        reader.bytes->copy(reinterpret_cast<char*>(data), length, reader.at);
        reader.at += length;
        return CAIRO_STATUS_SUCCESS;
      },
      &reading);
  ASSERT_EQ(cairo_surface_status(read), CAIRO_STATUS_SUCCESS);
  EXPECT_EQ(cairo_image_surface_get_width(read), 8);
  EXPECT_EQ(cairo_image_surface_get_data(read)[0], 0) << "black";
  cairo_surface_destroy(read);
}

TEST(Animation, pictures_of_two_sizes_or_other_bytes_are_refused) {
  const std::vector<AnimationFrame> sizes{{png(8, 4, 0), 1}, {png(4, 8, 0), 1}};
  EXPECT_FALSE(to_animated_png(sizes));
  const std::string whole = png(8, 4, 0);
  for (const std::string& bytes : {std::string(), std::string("GIF89a"), whole.substr(0, whole.size() - 3)}) {
    const std::vector<AnimationFrame> broken{{bytes, 1}};
    EXPECT_FALSE(to_animated_png(broken)) << bytes.size();
  }
}

}  // namespace
}  // namespace lanescope::exporting
