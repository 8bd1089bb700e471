#include "session/words.h"

#include "support/bilingual_words.h"

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

TEST(SessionWords, are_in_both_languages_with_the_same_placeholders) {
#define WORDS(name, english, french)                                       \
  EXPECT_FALSE(say(Language::English, Words::name).empty()) << #name;      \
  tests::expect_both_languages(#name, say(Language::English, Words::name), \
                               say(Language::French, Words::name));
#include "session/text.def"
#undef WORDS
}

}  // namespace
}  // namespace lanescope::session
