// Sentences whose words depend on a count: "{} block[|s] of {} thread[|s]". Of [one|many] the first is taken
// where the number before it is 1, in French also where it is 0. Tests:
// tests/unit/base/counted_phrase_test.cpp

#pragma once

#include "base/text.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// `sentence` with one of each [one|many]. `is_singular`: [placeholder, in the order of the sentence].
std::string with_number_of(std::string_view sentence, std::span<const bool> is_singular);

bool is_singular(Language language, std::string_view number);
template <std::integral Number>
bool is_singular(Language language, Number number) {
  return number == 1 || (number == 0 && language == Language::French);
}

/// The sentence with its placeholders filled; integers, and numbers that were made texts of, count.
template <class... Arguments>
std::string counted_phrase(Language language, std::string_view sentence, const Arguments&... arguments) {
  const std::array<bool, sizeof...(arguments)> singular{is_singular(language, arguments)...};
  return fmt::format(fmt::runtime(with_number_of(sentence, singular)), arguments...);
}
template <class... Arguments>
std::string counted_phrase(Language language, Text text, const Arguments&... arguments) {
  return counted_phrase(language, say(language, text), arguments...);
}

}  // namespace lanescope
