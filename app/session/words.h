// The sentences about links, in each language. Method: text.def names each text once, as
// base/text.h does for the window. Tests: tests/unit/session/words_test.cpp

#pragma once

#include "base/text.h"

#include <string_view>

namespace lanescope::session {

enum class Words {
#define WORDS(name, english, french) name,
#include "session/text.def"
#undef WORDS
};

std::string_view say(Language language, Words words);

}  // namespace lanescope::session
