// The whole page as text: what is in it with the module, and without.

#include "handout/page.h"

#include "handout/packing.h"
#include "support/project_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace lanescope::handout {
namespace {

using testing::IsEmpty;

bool has_part(std::string_view html, std::string_view part) {
  return html.find(part) != std::string_view::npos;
}

size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class HandoutPage : public testing::Test {
 protected:
  Handout page(std::optional<Module> module) {
    Wish wish{.settings = lesson::initial_settings(*lab_.lesson()), .a = {}, .place = {}};
    wish.settings.values["size"] = "128";
    Dress dress{.style = "p {}", .script = "run();", .module = std::move(module), .sqlite = {}};
    Contents contents{
        lab_.lesson()->title, *parse_offer(*lab_.lesson(), {"padding=0,1", "size=128,1024"}), {}};
    if (dress.module)
      contents.files =
          *files_of(*lab_.lesson(), wish.settings, contents.offer, lab_.device(), options_, lab_.execution());
    return *handout_of(lab_, wish, contents, dress);
  }

  pipeline::Options options_ = tests::project_options();
  Lab lab_{
      options_,
      std::make_shared<const lesson::Lesson>(*lesson::find_lesson(options_.assets / "lessons", "transpose")),
      *model::find_device(options_.assets / "devices", "h200")};
};

TEST_F(HandoutPage, has_both_languages_questions_with_answers_and_tasks) {
  const Handout made = page(Module{"load();</script>", "bytes"});
  EXPECT_THAT(made.notes, IsEmpty());
  for (const char* text :
       {"<h1>Matrix transpose</h1>", "<div class=\"view\" lang=\"fr\" id=\"fr\">", "Pas à pas dans un warp",
        "Prédire d’abord", "A tile of 32 x 32 floats in shared memory", "data-answer=\"32\"",
        "A transpose without bank conflicts", "<option value=\"1024\">1024</option>",
        "Its numbers as a table"})
    EXPECT_TRUE(has_part(made.html, text)) << text;
  EXPECT_EQ(count_of(made.html, "<section class=\"question\""), 8u);
  EXPECT_EQ(count_of(made.html, "<article>"), 2u);
  EXPECT_EQ(count_of(made.html, "<main>"), 1u);
  EXPECT_EQ(count_of(made.html, "</main>"), 1u);
}

TEST_F(HandoutPage, with_the_module_it_has_the_first_access_and_what_the_module_reads) {
  const std::string html = page(Module{"load();</script>", "bytes"}).html;
  EXPECT_TRUE(has_part(html, "id=\"module\">Ynl0ZXM=</script>"));
  EXPECT_TRUE(has_part(html, "load();<\\/script>"));  // ends no element
  EXPECT_EQ(count_of(html, "class=\"still\""), 0u);
}

TEST_F(HandoutPage, without_the_module_each_access_is_a_still_picture) {
  const std::string html = page({}).html;
  EXPECT_EQ(count_of(html, "class=\"still\""), 2 * 16u);
  EXPECT_EQ(count_of(html, "\" open>"), 2u);
  EXPECT_FALSE(has_part(html, "id=\"module\""));
}

/// Each thread of rows_columns' first kernel reads a row: far more accesses than a page can show.
TEST_F(HandoutPage, of_a_long_warp_there_are_24_still_pictures_around_the_first_shown) {
  Lab lab(options_,
          std::make_shared<const lesson::Lesson>(
              *lesson::find_lesson(options_.assets / "lessons", "rows_columns")),
          *model::find_device(options_.assets / "devices", "h200"));
  const Wish wish{.settings = lesson::initial_settings(*lab.lesson()), .a = {}, .place = {{}, {}, 100}};
  const std::string html = handout_of(lab, wish, {}, {})->html;
  EXPECT_EQ(count_of(html, "class=\"still\""), 2 * 24u);
  EXPECT_TRUE(has_part(html, "Still pictures of the warp’s accesses 89 to 112, of "));
  EXPECT_TRUE(has_part(html, "data-access=\"88\""));
}

TEST(HandoutIndex, links_to_each_page_in_both_languages) {
  const std::string html = index_page({{"a.html", {"One & two", "Un"}}}, {});
  EXPECT_TRUE(has_part(html, "<a href=\"a.html\">One &amp; two</a>"));
  EXPECT_TRUE(has_part(html, "<a href=\"a.html#fr\" lang=\"fr\" hreflang=\"fr\">Un</a>"));
}

TEST(HandoutPacking, json_ends_no_script) {
  EXPECT_EQ(for_script("{\"a\":\"</script>\"}"), "{\"a\":\"\\u003c/script>\"}");
}

TEST(HandoutPacking, what_is_deflated_is_the_same_inflated) {
  const std::string text(1000, 'x');
  const std::string packed = deflated(text);
  EXPECT_LT(packed.size(), 50u);
  std::string again(1000, ' ');
  uLongf size = again.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(again.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(again, text);
}

}  // namespace
}  // namespace lanescope::handout
