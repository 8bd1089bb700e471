#include "export/export.h"
#include "export/faces.h"
#include "plot/text_width.h"
#include "support/figure_cases.h"
#include "support/project.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace lanescope::tests {
namespace {

namespace fs = std::filesystem;
using exporting::Style;

const fs::path kFonts = tests::source_dir() / "assets/fonts";

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

class WriteFigure : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lanescope-figure-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string written(const plot::Figure& figure, const std::string& name,
                      const Style& style = {.font_directory = kFonts}) {
    const auto result = exporting::write_figure(figure, folder_ / name, style);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return read(folder_ / name);
  }

  /// Pixel of a PNG as 0xRRGGBB.
  uint32_t pixel(const std::string& name, int x, int y) const {
    cairo_surface_t* image = cairo_image_surface_create_from_png((folder_ / name).c_str());
    uint32_t value = 0;
    std::memcpy(&value,
                cairo_image_surface_get_data(image) + y * cairo_image_surface_get_stride(image) + x * 4, 4);
    cairo_surface_destroy(image);
    return value & 0xffffff;
  }
  std::pair<int, int> extent(const std::string& name) const {
    cairo_surface_t* image = cairo_image_surface_create_from_png((folder_ / name).c_str());
    const std::pair<int, int> size{cairo_image_surface_get_width(image),
                                   cairo_image_surface_get_height(image)};
    cairo_surface_destroy(image);
    return size;
  }

  fs::path folder_;
};

plot::Figure totals() {
  return plot::totals_figure(transpose_trace({.width = 64, .height = 64}), {.size = {440, 290}});
}

/// One square of a kind's color that fills the sheet.
plot::Figure square(float side) {
  plot::Figure figure;
  figure.name = "square";
  figure.size = {side, side};
  figure.marks = {plot::Rect{
      .x = 0, .y = 0, .width = side, .height = side, .fill = plot::Color::of_kind(0), .stroke = {}}};
  return figure;
}

TEST_F(WriteFigure, each_extension_gives_its_format) {
  const plot::Figure figure = totals();
  EXPECT_TRUE(written(figure, "a.svg").starts_with("<?xml"));
  EXPECT_TRUE(written(figure, "a.pdf").starts_with("%PDF-"));
  EXPECT_TRUE(written(figure, "a.png").starts_with("\x89PNG"));
  EXPECT_TRUE(written(figure, "a.csv").starts_with("# figure: totals"));
  EXPECT_TRUE(written(figure, "a.json").starts_with("{"));
  EXPECT_TRUE(written(figure, "B.SVG").starts_with("<?xml"));
}

TEST_F(WriteFigure, an_unknown_extension_lists_those_known) {
  for (const char* name : {"a.gif", "a"}) {
    const auto result = exporting::write_figure(totals(), folder_ / name, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Usage);
    EXPECT_NE(result.error().message.find(".svg, .pdf, .png, .csv or .json"), std::string::npos)
        << result.error().message;
    EXPECT_FALSE(fs::exists(folder_ / name));
  }
}

TEST_F(WriteFigure, a_png_has_the_requested_scale_and_colors) {
  written(square(400), "one.png", {.theme = plot::Theme::Light, .scale = 1, .font_directory = kFonts});
  written(square(400), "two.png", {.theme = plot::Theme::Dark, .scale = 2, .font_directory = kFonts});
  const auto [width, height] = extent("one.png");
  EXPECT_EQ(extent("two.png"), (std::pair{2 * width, 2 * height}));
  EXPECT_EQ(pixel("one.png", width / 2, height / 2), 0x0072b2);
  EXPECT_EQ(pixel("one.png", 1, 1), 0xffffff);
  EXPECT_EQ(pixel("two.png", 1, 1), 0x1a2029);
}

TEST_F(WriteFigure, a_png_that_would_be_enormous_is_refused) {
  const auto result =
      exporting::write_figure(square(4000), folder_ / "a.png", {.scale = 8, .font_directory = kFonts});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Usage);
}

TEST_F(WriteFigure, cells_become_one_image_with_sharp_edges) {
  plot::Figure figure = square(400);
  figure.marks = {plot::Cells{.x = 0,
                              .y = 0,
                              .width = 400,
                              .height = 400,
                              .rows = 2,
                              .columns = 2,
                              .value = {1, 2, 0, 4},
                              .maximum = 4,
                              .scale = plot::Cells::Scale::Kind}};
  written(figure, "a.png", {.theme = plot::Theme::Light, .scale = 1, .font_directory = kFonts});
  // The marks are in the lower left of the page: find the cells by their colors around the middle.
  const auto [width, height] = extent("a.png");
  int middle_x = 0;
  for (int x = 1; x < width && middle_x == 0; ++x) {
    if (pixel("a.png", x - 1, height / 3) == 0x0072b2 && pixel("a.png", x, height / 3) == 0xe69f00)
      middle_x = x;
  }
  EXPECT_GT(middle_x, 0) << "no sharp edge from blue to orange";
  EXPECT_EQ(pixel("a.png", middle_x - 50, height - 40), 0xf0f2f6) << "an empty cell has the colour of a well";
  EXPECT_EQ(count(written(figure, "a.svg"), "<image"), 1);
}

TEST_F(WriteFigure, a_million_cells_make_a_small_file) {
  const trace::Trace trace = transpose_trace({.width = 1024, .height = 1024, .variant = Transpose::Diagonal});
  const plot::Figure figure =
      plot::element_figure(trace, *model::map_elements(trace, 1, trace::Kind::Store), {.size = {640, 360}});
  EXPECT_LT(written(figure, "a.svg", {.font_directory = kFonts}).size(), 1'000'000);
  EXPECT_LT(written(figure, "a.pdf", {.font_directory = kFonts}).size(), 1'000'000);
}

TEST_F(WriteFigure, the_same_figure_gives_the_same_bytes) {
  const Style style{.font_directory = kFonts};
  for (const char* extension : {"svg", "png"}) {
    const std::string one = written(totals(), std::string("a.") + extension, style);
    const std::string other = written(totals(), std::string("b.") + extension, style);
    EXPECT_TRUE(one == other) << extension;
  }
}

TEST_F(WriteFigure, the_fonts_of_the_window_are_used_if_present) {
  ASSERT_TRUE(fs::exists(kFonts / "Inter-Regular.otf"));
  const std::string ours = written(totals(), "a.png");
#if defined(__SANITIZE_ADDRESS__)
  // Cairo's replacement fonts come from fontconfig, which keeps its tables until the process ends.
  const __lsan::ScopedDisabler not_ours;
#endif
  EXPECT_FALSE(ours == written(totals(), "b.png", {.font_directory = "/nowhere"}));
  EXPECT_TRUE(written(totals(), "a.pdf", {.font_directory = kFonts}).find("Inter") != std::string::npos);
}

TEST_F(WriteFigure, real_text_is_no_wider_than_estimated) {
  // The estimate keeps labels apart; if it were too small, they would overlap in a file.
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8);
  cairo_t* cairo = cairo_create(surface);
  const exporting::Faces faces(kFonts);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
  for_each_figure_case([&](std::string_view, const FigureMaker& make) {
    for (const Language language : {Language::English, Language::French}) {
      for (const plot::Mark& mark : make({{640, 360}, language, 16}).marks) {
        const auto* label = std::get_if<plot::Label>(&mark);
        if (label == nullptr) continue;
        faces.select(cairo, label->face, label->size);
        cairo_text_extents_t extents;
        cairo_text_extents(cairo, label->text.c_str(), &extents);
        EXPECT_LE(extents.x_advance, plot::text_width(label->text, label->size, label->face) + 0.5)
            << label->text;
      }
    }
  });
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
}

TEST_F(WriteFigure, what_is_offered_is_what_can_be_written) {
  EXPECT_EQ(exporting::figure_formats(), (std::vector<std::string>{"svg", "pdf", "png", "csv", "json"}));
  for (const std::string& format : exporting::figure_formats())
    EXPECT_TRUE(exporting::check_format("figure." + format)) << format;
}

TEST_F(WriteFigure, an_error_of_the_file_is_passed_on) {
  const auto result =
      exporting::write_figure(totals(), folder_ / "none" / "a.svg", {.font_directory = kFonts});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::File);
}

}  // namespace
}  // namespace lanescope::tests
