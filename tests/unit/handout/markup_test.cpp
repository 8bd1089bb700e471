#include "handout/markup.h"

#include <array>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::handout {
namespace {

using testing::HasSubstr;
using testing::Not;

plot::Figure figure_with_rows(int64_t rows) {
  plot::Figure figure;
  figure.name = "banks";
  figure.title = "Banks <b>";
  figure.subtitle = "a & b";
  figure.size = {300, 100};
  figure.explanation = "</figcaption><script>";
  figure.headlines.push_back({.value = "32", .label = "wavefronts", .color = {}});
  figure.table.columns = {{"lane", ""}, {"address", "B"}};
  for (int64_t n = 0; n < rows; ++n) figure.table.rows.push_back({n, std::string("<i>")});
  return figure;
}

size_t times_in(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Markup, of_a_stranger_is_text_also_in_an_attribute) {
  EXPECT_EQ(plain("a\" onload=\"x"), "a&quot; onload=&quot;x");
  EXPECT_EQ(plain("<b>&"), "&lt;b&gt;&amp;");
}

TEST(Markup, items_are_one_list_and_code_keeps_its_lines) {
  using Paragraph = lesson::Paragraph;
  using Run = lesson::Run;
  const std::array all{Paragraph{Paragraph::Kind::Item, {{Run::Face::Plain, "one"}}},
                       Paragraph{Paragraph::Kind::Item, {{Run::Face::Code, "a < b"}}},
                       Paragraph{Paragraph::Kind::Code, {{Run::Face::Code, "x\ny"}}}};
  EXPECT_EQ(paragraphs(all),
            "<ul>\n<li>one</li>\n<li><code>a &lt; b</code></li>\n</ul>\n"
            "<pre class=\"code\" tabindex=\"0\"><code>x\ny</code></pre>\n");
}

TEST(Markup, a_figure_has_a_heading_its_provenance_a_sentence_and_a_table) {
  const std::string html = *figure_html(figure_with_rows(1));
  EXPECT_THAT(html, HasSubstr("<h3>Banks &lt;b&gt; <span class=\"badge emulated\">emulated</span></h3>"));
  EXPECT_THAT(html, HasSubstr("<p>&lt;/figcaption&gt;&lt;script&gt;</p>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">0</td><td>&lt;i&gt;</td>"));
  EXPECT_THAT(html, HasSubstr("<svg role=\"img\""));
  EXPECT_THAT(html, Not(HasSubstr("<?xml")));
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
}

TEST(Markup, a_figure_without_rows_has_no_table) {
  const std::string html = *figure_html(figure_with_rows(0));
  EXPECT_EQ(times_in(html, "<svg "), 1u);
  EXPECT_EQ(times_in(html, "<table>"), 0u);
}

TEST(Markup, a_long_table_says_how_much_is_left_out) {
  const std::string html = *figure_html(figure_with_rows(64 + 7));
  EXPECT_EQ(times_in(html, "<tr><td"), 64u);
  EXPECT_THAT(html, HasSubstr("7 more rows"));
}

TEST(Markup, the_badge_is_in_the_language) {
  EXPECT_THAT(badge(Provenance::Modelled, Language::French), HasSubstr(">modélisé<"));
}

}  // namespace
}  // namespace lanescope::handout
