#include "export/svg.h"

#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

TEST(Svg, ids_count_from_one_in_order_of_appearance) {
  const std::string svg = finish_svg(
      "<svg><image id=\"image9\"/><g id=\"surface660\"/><use href=\"#image9\"/><image id=\"image4\"/></svg>",
      {});
  EXPECT_TRUE(svg.ends_with(
      "<image id=\"image1\"/><g id=\"surface1\"/><use href=\"#image1\"/><image id=\"image2\"/></svg>"))
      << svg;
}

TEST(Svg, words_with_digits_are_unchanged) {
  EXPECT_NE(finish_svg("<svg><t>surface660</t></svg>", {}).find("surface660"), std::string::npos);
}

TEST(Svg, the_svg_has_a_title_and_a_description) {
  plot::Figure figure;
  figure.title = "Banks";
  figure.subtitle = "a<b & c";
  figure.headlines = {{"32", "wavefronts", {}}};
  figure.explanation = "Lane k is at word 32 k.";
  EXPECT_EQ(finish_svg("<svg a=\"1\"></svg>", {&figure, 1}),
            "<svg a=\"1\">\n<title>Banks: a&lt;b &amp; c</title>\n"
            "<desc>32 wavefronts. Lane k is at word 32 k. (emulated)</desc></svg>");
}

TEST(Svg, text_that_is_not_svg_is_unchanged) { EXPECT_EQ(finish_svg("nothing", {}), "nothing"); }

}  // namespace
}  // namespace lanescope::exporting
