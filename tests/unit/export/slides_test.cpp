#include "export/slides.h"

#include "support/figure_cases.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <iterator>

#include <cairo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

namespace fs = std::filesystem;

const Style kStyle{.scale = 0.5, .font_directory = tests::source_dir() / "assets/fonts"};

std::vector<Slide> two_slides() {
  Slide question{.title = "Columns",
                 .count = "1 / 1",
                 .figures = {},
                 .caption = {{"How many "}, {"wavefronts", true}, {"?"}}};
  Slide answer = question;
  tests::for_each_figure_case([&](std::string_view, const tests::FigureMaker& make) {
    if (answer.figures.size() < 2) {
      plot::Frame frame = slide_frame(2);
      answer.figures.push_back(make(frame));
    }
  });
  return {question, answer};
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Slides, a_pdf_has_a_page_for_each) {
  const tests::TemporaryFolder folder("slides");
  const auto files = write_slides(two_slides(), folder / "slides.pdf", kStyle);
  ASSERT_TRUE(files) << describe(files.error());
  EXPECT_THAT(*files, testing::ElementsAre(folder / "slides.pdf"));
  EXPECT_THAT(bytes_of(folder / "slides.pdf"), testing::HasSubstr("/Count 2"));
}

TEST(Slides, pictures_are_numbered_and_of_one_size) {
  const tests::TemporaryFolder folder("slides");
  const auto files = write_slides(two_slides(), folder / "slides.png", kStyle);
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, testing::ElementsAre(folder / "slides-1.png", folder / "slides-2.png"));
  for (const fs::path& file : *files) {
    cairo_surface_t* const picture = cairo_image_surface_create_from_png(file.c_str());
    EXPECT_EQ(cairo_image_surface_get_width(picture), 640);
    EXPECT_EQ(cairo_image_surface_get_height(picture), 360);
    cairo_surface_destroy(picture);
  }
}

TEST(Slides, an_animation_shows_a_slide_as_long_as_it_takes_to_read) {
  const tests::TemporaryFolder folder("slides");
  ASSERT_TRUE(write_slides(two_slides(), folder / "film.apng", kStyle));
  EXPECT_THAT(bytes_of(folder / "film.apng"), testing::HasSubstr("acTL"));
  Slide slide;
  EXPECT_EQ(reading_milliseconds(slide), 2500u);
  slide.caption = {{std::string(150, 'x')}};
  EXPECT_EQ(reading_milliseconds(slide), 2500u + 150u * 66u);
  slide.caption = {{std::string(100000, 'x')}};
  EXPECT_EQ(reading_milliseconds(slide), 60000u);
}

TEST(Slides, other_endings_are_refused) {
  for (const char* const name : {"slides", "slides.gif", "slides.pptx", ".pdf"})
    EXPECT_FALSE(check_slide_format(name)) << name;
  EXPECT_FALSE(write_slides(two_slides(), "/nowhere/slides.pdf", kStyle));
}

}  // namespace
}  // namespace lanescope::exporting
