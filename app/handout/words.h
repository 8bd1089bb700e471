// The words of a handout's page, which the window has not. Method: text.def names each sentence once, as
// base/text.h does for the window. Tests: tests/unit/handout/page_test.cpp, tests/unit/handout/words_test.cpp

#pragma once

#include "base/text.h"

#include <string_view>

namespace lanescope::handout {

enum class Words {
#define WORDS(name, english, french) name,
#include "handout/text.def"
#undef WORDS
};

std::string_view say(Language language, Words words);

}  // namespace lanescope::handout
