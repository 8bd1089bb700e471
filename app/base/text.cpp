#include "base/text.h"

#include <array>

namespace lanescope {
namespace {

struct Row {
  std::string_view english;
  std::string_view french;
};

constexpr auto kRows = std::to_array<Row>({
#define TEXT(name, english, french) {english, french},
#include "base/text.def"
#undef TEXT
});

// Each name has one row: text_ids.h is generated from text.def.
constexpr auto kIds = std::to_array({
#define TEXT(name, english, french) Text::name,
#include "base/text.def"
#undef TEXT
});
static_assert([] {
  for (size_t n = 0; n < kIds.size(); ++n)
    if (static_cast<size_t>(kIds[n]) != n) return false;
  return true;
}());

}  // namespace

std::string_view say(Language language, Text text) {
  const Row& row = kRows[static_cast<size_t>(text)];
  return language == Language::French ? row.french : row.english;
}

}  // namespace lanescope
