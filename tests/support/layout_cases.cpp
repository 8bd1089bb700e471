#include "support/layout_cases.h"

#include "base/random.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

constexpr uint32_t kLargest = 48 << 10;

class Random {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_at(seed_, n_++) % end); }
  template <class T, size_t N>
  T one_of(const std::array<T, N>& values) {
    return values[below(N)];
  }

 private:
  uint64_t seed_;
  uint64_t n_ = 0;
};

std::string layout_text(Random& random) {
  const uint32_t lines = random.one_of(std::array{8u, 8u, 16u, 32u, 64u, 5u, 33u});
  const uint32_t places = random.one_of(std::array{8u, 16u, 32u, 64u, 128u, 24u, 40u});
  // Core matrices of 8 lines of 8 elements, one after the other.
  if (random.below(5) == 0 && lines % 8 == 0 && places % 8 == 0) {
    const uint32_t core = random.one_of(std::array{64u, 72u, 128u});
    return fmt::format("((8,{}),(8,{})):((8,{}),(1,{}))", lines / 8, places / 8, core, core * (lines / 8));
  }
  const uint32_t pitch = places + random.one_of(std::array{0u, 0u, 0u, 1u, 2u, 4u, 8u, 16u});
  if (random.below(4) == 0) return fmt::format("({},{}):(1,{})", places, lines, pitch);
  return fmt::format("({},{}):({},1)", lines, places, pitch);
}

void arrange(Random& random, layout::QuestionText& text) {
  switch (random.below(4)) {
    case 0:
      return;
    case 1: {
      const uint32_t bits = 1 + random.below(4);
      text.swizzle = fmt::format("{},{},{}", bits, random.below(5), bits + random.below(3));
      return;
    }
    case 2:
      text.triton =
          fmt::format("{},{},{}", 1u << random.below(4), 1u << random.below(3), 1u << random.below(4));
      return;
    default:
      text.padding = fmt::format("{}", random.one_of(std::array{1u, 2u, 3u, 4u, 8u, 12u, 16u}));
  }
}

}  // namespace

std::vector<layout::QuestionText> random_layouts(size_t count, uint64_t seed) {
  constexpr std::array kElements{"u8", "i8", "f16", "f16", "bf16", "f32", "i32", "f64"};
  constexpr std::array kFamilies{"ld.row",      "ld.column", "ld.fragment", "st.row",   "st.column",
                                 "st.fragment", "cp.async",  "ldmatrix",    "ldmatrix", "stmatrix"};
  Random random(seed);
  std::vector<layout::QuestionText> cases;
  while (cases.size() < count) {
    const char* const family = kFamilies[cases.size() % kFamilies.size()];
    std::vector<std::string> names;
    for (const layout::Access& access : layout::accesses())
      if (access.name.starts_with(family)) names.push_back(access.name);
    layout::QuestionText text;
    text.layout = layout_text(random);
    text.element = random.one_of(kElements);
    arrange(random, text);
    text.accesses = {names[random.below(static_cast<uint32_t>(names.size()))]};
    const auto question = layout::parse(text);
    if (!question) continue;
    const auto report = layout::report_of(*question);
    if (!report || report->impossible() != nullptr || report->placed.size_bytes > kLargest) continue;
    if (std::ranges::find(cases, text) == cases.end()) cases.push_back(std::move(text));
  }
  return cases;
}

}  // namespace lanescope::tests
