// Figures as PNG and PDF without Cairo, in Node: what is filled, by how much, and what a file of PDF has.

#include "export/pdf_marks.h"
#include "export/pixel_marks.h"
#include "support/project.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Role;

GlyphFaces faces() {
  auto found = GlyphFaces::open(tests::source_dir() / "assets/fonts");
  EXPECT_TRUE(found) << found.error().message;
  return *std::move(found);
}

/// Of the red of each pixel of a picture of the marks, a pixel per point.
class Picture {
 public:
  Picture(plot::Size size, std::vector<plot::Mark> marks) {
    GlyphFaces letters = faces();
    const auto png = png_of({size, std::move(marks)}, plot::Theme::Light, 1, letters);
    EXPECT_TRUE(png) << png.error().message;
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    png_image_begin_read_from_memory(&image, png->data(), png->size());
    image.format = PNG_FORMAT_RGB;
    width_ = image.width;
    rgb_.resize(PNG_IMAGE_SIZE(image));
    png_image_finish_read(&image, nullptr, rgb_.data(), 0, nullptr);
  }
  int red(size_t x, size_t y) const { return rgb_[(y * width_ + x) * 3]; }

 private:
  size_t width_ = 0;
  std::vector<uint8_t> rgb_;
};

int red_of(Role role) { return plot::resolve(Color::of(role), plot::Theme::Light).red; }

const Color kInk = Color::of(Role::Ink);

TEST(FilledMarks, an_edge_covers_its_part_of_a_pixel) {
  const Picture picture({8, 4}, {plot::Rect{.x = 1.5f, .y = 1, .width = 3, .height = 2, .fill = kInk}});
  const int ink = red_of(Role::Ink), paper = red_of(Role::Surface);
  EXPECT_EQ(picture.red(0, 1), paper);
  EXPECT_NEAR(picture.red(1, 1), (ink + paper) / 2, 1);
  EXPECT_EQ(picture.red(2, 2), ink);
  EXPECT_NEAR(picture.red(4, 2), (ink + paper) / 2, 1);
  EXPECT_EQ(picture.red(5, 2), paper);
  EXPECT_EQ(picture.red(2, 0), paper);
  EXPECT_EQ(picture.red(2, 3), paper);
}

TEST(FilledMarks, a_frame_is_drawn_around_and_not_inside) {
  for (const float radius : {0.0f, 4.0f}) {
    const Picture picture(
        {20, 20},
        {plot::Rect{
            .x = 2, .y = 2, .width = 16, .height = 16, .radius = radius, .stroke = kInk, .stroke_width = 2}});
    EXPECT_EQ(picture.red(10, 10), red_of(Role::Surface)) << radius;
    EXPECT_EQ(picture.red(10, 1), red_of(Role::Ink)) << radius;
    EXPECT_EQ(picture.red(10, 2), red_of(Role::Ink)) << radius;
    EXPECT_EQ(picture.red(18, 10), red_of(Role::Ink)) << radius;
    // A round corner leaves the corner's pixel free.
    EXPECT_EQ(picture.red(1, 1), red_of(radius > 0 ? Role::Surface : Role::Ink)) << radius;
  }
}

TEST(FilledMarks, a_line_has_its_width_in_each_direction) {
  const Picture picture({20, 20},
                        {plot::Line{.x1 = 0, .y1 = 5, .x2 = 20, .y2 = 5, .color = kInk, .width = 2},
                         plot::Line{.x1 = 10, .y1 = 19, .x2 = 10, .y2 = 8, .color = kInk, .width = 2}});
  EXPECT_EQ(picture.red(3, 3), red_of(Role::Surface));
  EXPECT_EQ(picture.red(3, 4), red_of(Role::Ink));
  EXPECT_EQ(picture.red(3, 5), red_of(Role::Ink));
  EXPECT_EQ(picture.red(9, 12), red_of(Role::Ink));
  EXPECT_EQ(picture.red(12, 12), red_of(Role::Surface));
}

TEST(FilledMarks, what_lies_outside_of_the_page_is_left_out) {
  const Picture picture({4, 4},
                        {plot::Rect{.x = -50, .y = -50, .width = 52, .height = 52, .fill = kInk},
                         plot::Line{.x1 = 3, .y1 = -9, .x2 = 3, .y2 = 99, .color = kInk, .width = 1e6f}});
  EXPECT_EQ(picture.red(3, 3), red_of(Role::Ink));
}

TEST(FilledMarks, a_letter_is_filled_and_its_hole_is_not) {
  // An O of 100 points: its middle is free, its left side is not.
  const Picture picture({100, 100}, {plot::Label{.x = 10, .y = 50, .text = "O", .size = 100, .color = kInk}});
  EXPECT_EQ(picture.red(48, 50), red_of(Role::Surface));
  int darkest = 255;
  for (size_t x = 10; x < 40; ++x) darkest = std::min(darkest, picture.red(x, 50));
  EXPECT_EQ(darkest, red_of(Role::Ink));
}

TEST(FilledMarks, cells_have_sharp_edges) {
  const Picture picture({8, 8}, {plot::Cells{.width = 8,
                                             .height = 8,
                                             .rows = 1,
                                             .columns = 2,
                                             .value = {0, 2},
                                             .maximum = 2,
                                             .scale = plot::Cells::Scale::Gray}});
  EXPECT_EQ(picture.red(3, 7), red_of(Role::Sunken));
  EXPECT_EQ(picture.red(4, 0), 255);
}

TEST(FilledMarks, a_picture_that_is_too_large_is_a_sentence) {
  GlyphFaces letters = faces();
  const auto png = png_of({{9000, 20}, {}}, plot::Theme::Light, 1, letters);
  ASSERT_FALSE(png);
  EXPECT_EQ(png.error().kind, ErrorKind::Usage);
}

TEST(FilledMarks, a_folder_without_fonts_is_an_error_that_names_one) {
  const auto found = GlyphFaces::open("/nowhere");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::File);
}

std::string inflated(std::string_view bytes) {
  std::string text(1 << 20, '\0');
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  text.resize(size);
  return text;
}

/// The contents of all streams of a file.
std::string streams_of(const std::string& pdf) {
  std::string all;
  for (size_t at = pdf.find("<</Length "); at != std::string::npos; at = pdf.find("<</Length ", at + 1)) {
    const auto size = static_cast<size_t>(std::atol(pdf.c_str() + at + 10));
    const size_t start = pdf.find("stream\n", at) + 7;
    EXPECT_EQ(pdf.substr(start + size, 10), "\nendstream");
    all += inflated(std::string_view(pdf).substr(start, size)) + "\n";
  }
  return all;
}

std::string pdf_with(std::vector<plot::Mark> marks) {
  GlyphFaces letters = faces();
  const auto pdf =
      pdf_of({{100, 50}, std::move(marks)}, {"Banks · é", "Where from"}, plot::Theme::Light, letters);
  EXPECT_TRUE(pdf) << pdf.error().message;
  return pdf.value_or("");
}

TEST(FilledMarks, the_table_of_a_pdf_says_where_its_objects_begin) {
  const std::string pdf = pdf_with({plot::Label{.x = 1, .y = 9, .text = "ab", .color = kInk}});
  const auto start = static_cast<size_t>(std::atol(pdf.c_str() + pdf.rfind("startxref") + 10));
  ASSERT_EQ(pdf.substr(start, 7), "xref\n0 ");
  const size_t first = pdf.find('\n', start + 5) + 1;
  const long count = std::atol(pdf.c_str() + start + 7);
  EXPECT_GT(count, 6);
  for (long n = 1; n < count; ++n) {
    const auto at = static_cast<size_t>(std::atol(pdf.c_str() + first + static_cast<size_t>(n) * 20));
    const std::string begins = std::to_string(n) + " 0 obj";
    EXPECT_EQ(pdf.substr(at, begins.size()), begins);
  }
}

TEST(FilledMarks, text_of_a_pdf_is_text_in_the_letters_that_it_needs) {
  const std::string pdf = pdf_with({plot::Label{.x = 10, .y = 20, .text = "aba×", .size = 8, .color = kInk}});
  const std::string streams = streams_of(pdf);
  EXPECT_NE(streams.find("/F0 1 Tf <01020103> Tj"), std::string::npos) << streams;
  EXPECT_NE(streams.find("<03> <00D7>"), std::string::npos) << streams;
  EXPECT_NE(pdf.find("/LastChar 3"), std::string::npos);
  EXPECT_NE(pdf.find("/Title<FEFF00420061006E006B00730020"), std::string::npos);
  EXPECT_NE(pdf.find("/MediaBox[0 0 100 50]"), std::string::npos);
}

TEST(FilledMarks, more_letters_than_a_font_has_are_two_fonts_and_broken_ones_a_letter) {
  std::string text = "\xff";
  for (int n = 0; n < 300; ++n) {
    const int letter = 0x400 + n;
    text += static_cast<char>(0xc0 | letter >> 6);
    text += static_cast<char>(0x80 | (letter & 0x3f));
  }
  const std::string pdf = pdf_with({plot::Label{.text = text, .color = kInk}});
  EXPECT_NE(pdf.find("/LastChar 255"), std::string::npos);
  EXPECT_NE(pdf.find("/LastChar 46"), std::string::npos);
  EXPECT_NE(streams_of(pdf).find("<01> <FFFD>"), std::string::npos);
}

TEST(FilledMarks, cells_of_a_pdf_are_an_image) {
  const std::string pdf = pdf_with({plot::Cells{
      .x = 1, .y = 2, .width = 10, .height = 5, .rows = 1, .columns = 1, .value = {1}, .maximum = 1}});
  EXPECT_NE(pdf.find("/Subtype/Image/Width 30/Height 15"), std::string::npos);
  EXPECT_NE(streams_of(pdf).find("q 10 0 0 -5 1 7 cm /I0 Do Q"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::exporting
