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

}  // namespace

std::string_view say(Language language, Text text) {
  const Row& row = kRows[static_cast<size_t>(text)];
  return language == Language::French ? row.french : row.english;
}

}  // namespace lanescope
