// The words of the written reports, in each language. Method: text.def names each sentence once, as
// base/text.h does for the window. Tests: tests/unit/report/words_test.cpp (placeholders of both languages)

#pragma once

#include "base/counted_phrase.h"
#include "base/text.h"

#include <string>
#include <string_view>

namespace lanescope::report {

enum class Words {
#define WORDS(name, english, french) name,
#include "report/text.def"
#undef WORDS
};

std::string_view say(Language language, Words words);

/// The sentence with its placeholders filled; of [one|many] what the number before it asks for.
inline std::string said(Language language, Words words) { return std::string(say(language, words)); }
template <class... Arguments>
  requires(sizeof...(Arguments) > 0)
std::string said(Language language, Words words, const Arguments&... arguments) {
  return counted_phrase(language, say(language, words), arguments...);
}

}  // namespace lanescope::report
