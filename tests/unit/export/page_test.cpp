#include "export/page.h"

#include "plot/sheet.h"
#include "support/figure_cases.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using exporting::Page;
using plot::Label;

std::vector<Label> labels_of(const Page& page) {
  std::vector<Label> labels;
  for (const plot::Mark& mark : page.marks) {
    if (const auto* label = std::get_if<Label>(&mark)) labels.push_back(*label);
  }
  return labels;
}

bool says(const Page& page, std::string_view text) {
  return std::ranges::any_of(labels_of(page), [&](const Label& label) { return label.text == text; });
}

TEST(Page, nothing_overlaps_and_nothing_leaves_the_page) {
  for_each_figure_case([](std::string_view name, const FigureMaker& make) {
    for (const plot::Size size : {plot::Size{300, 180}, {440, 290}, {1100, 70}}) {
      for (const Language language : {Language::English, Language::French}) {
        for (const float text : {11.0f, 22.0f}) {
          const Page page = exporting::compose(make({size, language, text}));
          const std::vector<Label> labels = labels_of(page);
          for (size_t a = 0; a < labels.size(); ++a) {
            const plot::Box box = plot::box_of(labels[a]);
            ASSERT_GE(box.x, 0) << name << ": " << labels[a].text;
            ASSERT_LE(box.right(), page.size.width) << name << ": " << labels[a].text;
            ASSERT_GE(box.y, 0) << name << ": " << labels[a].text;
            ASSERT_LE(box.bottom(), page.size.height) << name << ": " << labels[a].text;
            for (size_t b = a + 1; b < labels.size(); ++b) {
              ASSERT_FALSE(plot::overlap(box, plot::box_of(labels[b])))
                  << name << ": '" << labels[a].text << "' and '" << labels[b].text << "'";
            }
          }
        }
      }
    }
  });
}

TEST(Page, a_warning_is_said_in_the_file_too) {
  plot::Figure figure;
  figure.title = "Banks";
  figure.size = {300, 100};
  figure.warning = "incomplete: the run was stopped";
  EXPECT_TRUE(says(exporting::compose(figure), "incomplete: the run was stopped"));
}

TEST(Page, pages_of_two_runs_stand_beside_each_other_and_wide_ones_below) {
  plot::Figure figure;
  figure.title = "Banks";
  figure.marks = {plot::Rect{.x = 0, .y = 0, .width = 10, .height = 10}};
  const auto page_of_two = [&](plot::Size size) {
    figure.size = size;
    const plot::Figure figures[] = {figure, figure};
    return std::pair(exporting::compose(figure), exporting::compose(figures));
  };
  const auto [high, beside] = page_of_two({400, 400});
  EXPECT_EQ(beside.size.width, 2 * high.size.width);
  EXPECT_EQ(beside.size.height, high.size.height);
  const auto [wide, below] = page_of_two({900, 200});
  EXPECT_EQ(below.size.width, wide.size.width);
  EXPECT_EQ(below.size.height, 2 * wide.size.height);
  ASSERT_EQ(below.marks.size(), 2 * wide.marks.size());
}

TEST(Page, the_page_has_provenance_and_source) {
  plot::Figure figure;
  figure.title = "Banks";
  figure.subtitle = "line 14";
  figure.source = "Addresses of a kernel.";
  figure.explanation = "Lane k is at word 32 k.";
  figure.provenance = Provenance::Recorded;
  figure.size = {400, 200};
  figure.headlines = {{"32", "wavefronts", plot::Color::of(plot::Role::Ink)}};
  const Page page = exporting::compose(figure);
  for (const char* text : {"Banks", "line 14", "Addresses of a kernel.", "Lane k is at word 32 k.",
                           "recorded", "32", "wavefronts"}) {
    EXPECT_TRUE(says(page, text)) << text;
  }
}

TEST(Page, the_badge_is_in_the_language_of_the_figure) {
  plot::Figure figure;
  figure.size = {400, 200};
  figure.language = Language::French;
  figure.provenance = Provenance::Modelled;
  EXPECT_TRUE(says(exporting::compose(figure), "modélisé"));
}

TEST(Page, marks_keep_their_size_next_to_the_headlines) {
  plot::Figure figure;
  figure.size = {400, 200};
  figure.marks = {
      plot::Rect{.x = 0, .y = 0, .width = 400, .height = 200, .fill = plot::Color{}, .stroke = {}}};
  const auto rect_of = [](const Page& page) {
    for (const plot::Mark& mark : page.marks) {
      const auto* rect = std::get_if<plot::Rect>(&mark);
      if (rect != nullptr && rect->fill) return *rect;
    }
    return plot::Rect{};
  };
  const plot::Rect plain = rect_of(exporting::compose(figure));
  figure.headlines = {{"1,048,576", "wavefronts", plot::Color{}}};
  const plot::Rect beside = rect_of(exporting::compose(figure));
  EXPECT_EQ(plain.width, 400);
  EXPECT_EQ(beside.width, 400);
  EXPECT_EQ(beside.height, 200);
  EXPECT_GT(beside.x, plain.x + 100);
}

TEST(Page, a_small_figure_gets_a_page_that_holds_its_title) {
  plot::Figure figure;
  figure.title = "Blocks and tiles";
  figure.size = {10, 10};
  EXPECT_TRUE(says(exporting::compose(figure), "Blocks and tiles"));
}

TEST(Page, a_page_has_whole_points) {
  plot::Figure figure;
  figure.size = {333.3f, 200.7f};
  const Page page = exporting::compose(figure);
  EXPECT_EQ(page.size.width, std::floor(page.size.width));
  EXPECT_EQ(page.size.height, std::floor(page.size.height));
}

}  // namespace
}  // namespace lanescope::tests
