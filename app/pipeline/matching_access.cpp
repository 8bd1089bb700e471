#include "pipeline/matching_access.h"

#include <algorithm>
#include <optional>

namespace lanescope::pipeline {

uint32_t matching_access(std::span<const model::TimelineEntry> one, uint32_t index,
                         std::span<const model::TimelineEntry> other) {
  if (other.empty()) return index;
  const auto last = static_cast<uint32_t>(other.size() - 1);
  if (index >= one.size()) return std::min(index, last);
  const trace::Operation wanted = one[index].operation;
  // A kernel may load four bytes a lane where the other loads sixteen.
  const auto is_same = [&](const model::TimelineEntry& entry) {
    return entry.operation.space == wanted.space && entry.operation.kind == wanted.kind;
  };
  auto before = std::ranges::count_if(one.first(index), is_same);
  std::optional<uint32_t> found;
  for (uint32_t n = 0; n <= last && before >= 0; ++n) {
    if (!is_same(other[n])) continue;
    found = n;
    --before;
  }
  return found.value_or(std::min(index, last));
}

}  // namespace lanescope::pipeline
