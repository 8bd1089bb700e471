#include "model/access_filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;

constexpr std::array kSpaces{Space::Global,   Space::Shared,  Space::Local,
                             Space::Constant, Space::Texture, Space::Surface};
constexpr std::array kKinds{Kind::Load, Kind::Store, Kind::Atomic, Kind::Reduction, Kind::AsyncCopy};
/// Units of costs, which a person may add, and a number is of whichever the access has.
constexpr std::array<std::string_view, 8> kUnits{"wavefront",   "wavefronts",   "sector", "sectors",
                                                 "transaction", "transactions", "pass",   "passes"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == ',' || c == '\t') {
      end_word();
      continue;
    }
    // ">4" and "> 4" are one thing.
    if (c == '>') end_word();
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (c == '>') end_word();
  }
  end_word();
  return words;
}

std::optional<uint32_t> number_of(std::string_view word) {
  uint32_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = problem == std::errc() && end == word.data() + word.size() && number <= INT32_MAX;
  return is_number ? std::optional(number) : std::nullopt;
}

/// Takes a word that is the name of a space or a kind.
bool take_name(AccessFilter& filter, std::string_view word) {
  const auto space = std::ranges::find(kSpaces, word, [](Space one) { return name_of(one); });
  if (space != kSpaces.end()) return filter.space = *space, true;
  const auto kind = std::ranges::find(kKinds, word, [](Kind one) { return name_of(one); });
  if (kind != kKinds.end()) return filter.kind = *kind, true;
  return false;
}

}  // namespace

Result<AccessFilter> parse_access_filter(std::string_view text) {
  AccessFilter filter;
  const std::vector<std::string> words = words_of(text);
  for (size_t n = 0; n < words.size(); ++n) {
    const std::string& word = words[n];
    const auto next = n + 1 < words.size() ? number_of(words[n + 1]) : std::nullopt;
    if ((word == ">" || word == "over") && next) {
      filter.above = *next;
      ++n;
    } else if (word == "line" && next) {
      filter.line = static_cast<int>(*next);
      ++n;
    } else if (const auto line = number_of(word)) {
      filter.line = static_cast<int>(*line);
    } else if (word == "excess") {
      filter.has_excess = true;
    } else if (!take_name(filter, word) && std::ranges::find(kUnits, word) == kUnits.end()) {
      return fail(ErrorKind::Syntax,
                  fmt::format("'{}' is no condition; known are global, shared, local, constant, texture, "
                              "surface, load, store, atomic, reduction, async_copy, line N, >N and excess",
                              word));
    }
  }
  return filter;
}

uint32_t cost_of(const TimelineEntry& access) {
  return access.operation.space == Space::Shared ? access.cost.wavefronts : access.cost.sectors;
}

uint32_t ideal_cost_of(const TimelineEntry& access) {
  return access.operation.space == Space::Shared ? access.cost.ideal_wavefronts : access.cost.ideal_sectors;
}

bool accepts(const AccessFilter& filter, const TimelineEntry& access) {
  return (!filter.space || *filter.space == access.operation.space) &&
         (!filter.kind || *filter.kind == access.operation.kind) &&
         (!filter.line || *filter.line == access.line) &&
         (!filter.above || cost_of(access) > *filter.above) &&
         (!filter.has_excess || cost_of(access) > ideal_cost_of(access));
}

}  // namespace lanescope::model
