#include "report/words.h"

#include <array>

namespace lanescope::report {
namespace {

struct Translated {
  std::string_view english, french;
};

constexpr auto kWords = std::to_array<Translated>({
#define WORDS(name, english, french) {english, french},
#include "report/text.def"
#undef WORDS
});

}  // namespace

std::string_view say(Language language, Words words) {
  const Translated& one = kWords[static_cast<size_t>(words)];
  return language == Language::French ? one.french : one.english;
}

}  // namespace lanescope::report
