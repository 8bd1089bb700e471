// Checks of a table of words in both languages (text.def of a folder).

#pragma once

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

namespace lanescope::tests {

/// Expects a French text with as many placeholders as the English one, typographic apostrophes and no-break
/// spaces. An English text may be empty where only French needs a sentence.
inline void expect_both_languages(std::string_view name, std::string_view english, std::string_view french) {
  EXPECT_FALSE(french.empty()) << name;
  EXPECT_EQ(std::ranges::count(english, '{'), std::ranges::count(french, '{')) << name;
  for (const std::string_view wrong : {"'", " :", " ;", " ?", " !", " %"})
    EXPECT_EQ(french.find(wrong), std::string_view::npos) << name << " has \"" << wrong << '"';
}

}  // namespace lanescope::tests
