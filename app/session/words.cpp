#include "session/words.h"

#include "base/bilingual.h"

#include <array>

namespace lanescope::session {
namespace {

constexpr auto kWords = std::to_array<Bilingual>({
#define WORDS(name, english, french) {english, french},
#include "session/text.def"
#undef WORDS
});

}  // namespace

std::string_view say(Language language, Words words) {
  return kWords[static_cast<size_t>(words)].in(language);
}

}  // namespace lanescope::session
