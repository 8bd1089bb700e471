// A text in both languages, for the tables of words beside base/text.def.

#pragma once

#include "base/text.h"

#include <string_view>

namespace lanescope {

struct Bilingual {
  std::string_view english, french;
  constexpr std::string_view in(Language language) const {
    return language == Language::French ? french : english;
  }
};

}  // namespace lanescope
