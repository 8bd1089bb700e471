// The table of strings: English and French say the same with the same placeholders.

#include "base/text.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

struct Row {
  std::string_view id, english, french;
};

const std::vector<Row> kRows{
#define TEXT(id, english, french) Row{#id, english, french},
#include "base/text.def"
#undef TEXT
};

/// "{}" and "{:.1f}" in a sentence, sorted: a translation may turn the order of numbered ones alone.
std::vector<std::string> placeholders(std::string_view sentence) {
  std::vector<std::string> found;
  for (size_t at = 0; at < sentence.size(); ++at) {
    if (sentence[at] != '{') continue;
    if (sentence.substr(at, 2) == "{{") {
      ++at;
      continue;
    }
    const size_t end = sentence.find('}', at);
    if (end == std::string_view::npos) return {"unclosed"};
    found.emplace_back(sentence.substr(at, end + 1 - at));
    at = end;
  }
  if (std::ranges::any_of(found, [](const std::string& one) { return one.size() > 2 && one[1] != ':'; }))
    std::ranges::sort(found);
  return found;
}

TEST(TextTable, both_languages_have_the_same_placeholders) {
  ASSERT_GT(kRows.size(), 300u);
  for (const Row& row : kRows) EXPECT_EQ(placeholders(row.english), placeholders(row.french)) << row.id;
}

TEST(TextTable, no_sentence_is_empty_or_begins_or_ends_with_a_space) {
  for (const Row& row : kRows) {
    for (const std::string_view sentence : {row.english, row.french}) {
      ASSERT_FALSE(sentence.empty()) << row.id;
      EXPECT_NE(sentence.front(), ' ') << row.id;
      EXPECT_NE(sentence.back(), ' ') << row.id;
    }
  }
}

TEST(TextTable, french_has_typographic_apostrophes_and_no_break_spaces) {
  for (const Row& row : kRows)
    for (const std::string_view wrong : {"'", " :", " ;", " ?", " !", " %", " »", "« "})
      EXPECT_EQ(row.french.find(wrong), std::string_view::npos) << row.id << " has \"" << wrong << '"';
}

/// "Carte" is the graphics card, "plan" the map of its partitions or slices, "image" a map of cells.
TEST(TextTable, french_has_one_word_for_a_card_and_another_for_a_map) {
  for (const Row& row : kRows) EXPECT_EQ(row.french.find(" carte"), std::string_view::npos) << row.id;
}

TEST(TextTable, every_name_is_there_once) {
  std::set<std::string_view> names;
  for (const Row& row : kRows) EXPECT_TRUE(names.insert(row.id).second) << row.id;
}

TEST(TextTable, say_finds_the_sentence_of_its_name) {
  EXPECT_EQ(say(Language::English, Text::banks), kRows.front().english);
  EXPECT_EQ(say(Language::French, Text::banks), kRows.front().french);
  const auto last = static_cast<Text>(kRows.size() - 1);
  EXPECT_EQ(say(Language::French, last), kRows.back().french);
}

TEST(TextTable, a_phrase_has_its_placeholders_filled) {
  EXPECT_EQ(phrase(Language::English, Text::figure_line, 7), "line 7");
  EXPECT_EQ(phrase(Language::French, Text::figure_line, 7), "ligne 7");
}

}  // namespace
}  // namespace lanescope
