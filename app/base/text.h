// The one table of strings, in each language that the window and the figures speak.
// Method: text.def names each string once; a string without a translation cannot be written. The build takes
// text_ids.h from its names, so an edited sentence recompiles text.cpp alone. Tests:
// tests/unit/base/text_test.cpp (each pair has the same placeholders).

#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace lanescope {

enum class Language { English, French };

enum class Text {
#include "base/text_ids.h"
};

std::string_view say(Language language, Text text);

/// The string with its placeholders filled.
template <class... Arguments>
std::string phrase(Language language, Text text, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(say(language, text)), arguments...);
}

}  // namespace lanescope
