#include "sweep/words.h"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

TEST(SweepWords, are_in_both_languages_with_the_same_placeholders) {
  struct Row {
    Words words;
    std::string_view name;
  };
  const Row rows[] = {
#define WORDS(name, english, french) {Words::name, #name},
#include "sweep/text.def"
#undef WORDS
  };
  for (const Row& row : rows) {
    const std::string_view english = say(Language::English, row.words);
    const std::string_view french = say(Language::French, row.words);
    EXPECT_FALSE(english.empty()) << row.name;
    EXPECT_FALSE(french.empty()) << row.name;
    EXPECT_EQ(std::ranges::count(english, '{'), std::ranges::count(french, '{')) << row.name;
    for (const std::string_view wrong : {"'", " :", " ;", " ?", " !", " %"})
      EXPECT_EQ(french.find(wrong), std::string_view::npos) << row.name << " has \"" << wrong << '"';
  }
}

}  // namespace
}  // namespace lanescope::sweep
