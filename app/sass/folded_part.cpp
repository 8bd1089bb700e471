#include "sass/folded_part.h"

#include <algorithm>

namespace lanescope::sass {

FoldedPart folded_part(const Match& match, const trace::Trace& trace, const trace::StoredBlock& block,
                       WarpId warp, uint32_t index) {
  const auto accesses = trace::accesses_of(block, warp);
  const auto merged_of = [&](uint32_t n) { return match.sites[accesses[n].site.value].merged; };
  const uint32_t merged = merged_of(index);
  AccessFolder folder(match);
  std::vector<FoldedAccess> whole;
  std::vector<std::pair<uint32_t, uint32_t>> numbers;  // [part] index of the access, number of the folded one
  uint32_t wanted = 0;
  for (uint32_t n = 0; n < accesses.size(); ++n) {
    if (merged_of(n) != merged) continue;
    const uint32_t number = folder.add(trace::view(trace, block, accesses[n]), merged, whole).number;
    if (n == index) wanted = number;
    numbers.emplace_back(n, number);
  }
  folder.end(whole);
  FoldedPart found{.access = *std::ranges::find(whole, wanted, &FoldedAccess::number), .parts = {}};
  for (const auto& [n, number] : numbers)
    if (number == wanted) found.parts.push_back(n);
  return found;
}

std::string instruction_name(const Match& match, const FoldedAccess& folded) {
  const std::vector<uint32_t>& instructions = match.merged[folded.merged].instructions;
  if (instructions.empty()) return {};
  const auto fits = [&](uint32_t n) { return match.accesses[n].bytes == folded.operation.bytes_per_lane; };
  const auto fitting = std::ranges::find_if(instructions, fits);
  return name_of(match.accesses[fitting == instructions.end() ? instructions.front() : *fitting]);
}

}  // namespace lanescope::sass
