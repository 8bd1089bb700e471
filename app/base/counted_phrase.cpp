#include "base/counted_phrase.h"

#include <algorithm>

namespace lanescope {

bool is_singular(Language language, std::string_view number) {
  return number == "1" || (number == "0" && language == Language::French);
}

std::string with_number_of(std::string_view sentence, std::span<const bool> is_singular) {
  std::string chosen;
  size_t placeholders = 0;
  while (!sentence.empty()) {
    const size_t bar = sentence.find('|'), close = sentence.find(']');
    if (sentence.front() != '[' || bar == std::string_view::npos || close == std::string_view::npos ||
        bar > close || placeholders == 0) {
      placeholders += sentence.front() == '{' ? 1 : 0;
      chosen += sentence.front();
      sentence.remove_prefix(1);
      continue;
    }
    const bool is_one = is_singular[std::min(placeholders, is_singular.size()) - 1];
    chosen += is_one ? sentence.substr(1, bar - 1) : sentence.substr(bar + 1, close - bar - 1);
    sentence.remove_prefix(close + 1);
  }
  return chosen;
}

}  // namespace lanescope
