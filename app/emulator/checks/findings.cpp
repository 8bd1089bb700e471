#include "emulator/checks/findings.h"

#include "emulator/checks/race_advice.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

int line_of(const Location& where, int ptx_line) { return where.line != 0 ? where.line : -ptx_line; }

/// Lines of the two sides, the lower one first.
std::pair<int, int> lines_of(const trace::Hazard& hazard) {
  const int here = line_of(hazard.where, hazard.ptx_line);
  const int there = hazard.other ? line_of(hazard.other->where, hazard.other->ptx_line) : here;
  return std::minmax(here, there);
}

/// Names in the sentence of a race the barrier at `line` between the two sides, which part of the block has
/// not reached.
void name_partial_barrier(trace::Hazard& race, int line) {
  const size_t end = race.message.find(kNoBarrier);
  if (end == std::string::npos) return;
  race.message.resize(end);
  race.message += fmt::format(
      "and the barrier at line {} between them is not reached by all threads; move it out of the condition",
      line);
}

}  // namespace

size_t Findings::Hash::operator()(const Key& key) const {
  const uint64_t bits =
      (uint64_t{key.step} << 32 | key.other) + static_cast<uint64_t>(key.finding) * 0x9e3779b9;
  return static_cast<size_t>(bits * 0x9e3779b97f4a7c15u >> 17);
}

bool Findings::count(const Key& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return false;
  ++list_[found->second].hazard.count;
  return true;
}

void Findings::add(const Key& key, CtaId block, trace::Hazard hazard) {
  index_.emplace(key, list_.size());
  list_.push_back({key, block, std::move(hazard)});
}

void Findings::merge(Findings&& other) {
  for (Entry& entry : other.list_) {
    const auto found = index_.find(entry.key);
    if (found == index_.end()) {
      add(entry.key, entry.block, std::move(entry.hazard));
      continue;
    }
    Entry& mine = list_[found->second];
    const uint64_t count = mine.hazard.count + entry.hazard.count;
    if (entry.block < mine.block) mine = std::move(entry);
    mine.hazard.count = count;
  }
}

std::vector<trace::Hazard> Findings::hazards() const { return list(Which::Hazards); }
std::vector<trace::Hazard> Findings::notes() const { return list(Which::Notes); }

std::vector<trace::Hazard> Findings::list(Which which) const {
  std::vector<const Entry*> sorted;
  for (const Entry& entry : list_)
    if (is_note(entry.key.finding) == (which == Which::Notes)) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const Entry* entry) {
    return std::tuple(entry->block, lines_of(entry->hazard), entry->key.finding, entry->key.step,
                      entry->key.other);
  });
  // A barrier that is missing between warps is missing between lanes of one warp as well: one entry.
  std::set<std::pair<int, int>> between_warps;
  for (const Entry* entry : sorted)
    if (entry->key.finding == Finding::RaceOfWarps) between_warps.insert(lines_of(entry->hazard));
  std::map<std::tuple<Finding, std::pair<int, int>>, uint64_t> counts;
  std::vector<std::pair<std::tuple<Finding, std::pair<int, int>>, trace::Hazard>> found;
  for (const Entry* entry : sorted) {
    const std::pair lines = lines_of(entry->hazard);
    const bool joins = entry->key.finding == Finding::RaceOfLanes && between_warps.contains(lines);
    const std::tuple what(joins ? Finding::RaceOfWarps : entry->key.finding, lines);
    counts[what] += entry->hazard.count;
    const bool is_known = std::ranges::any_of(found, [&](const auto& known) { return known.first == what; });
    if (!joins && !is_known && found.size() < kMaximumListed) found.emplace_back(what, entry->hazard);
  }
  std::vector<int> barriers;  // lines of barriers that part of a block has not reached
  for (const Entry& entry : list_)
    if (entry.key.finding == Finding::LeftBarrier || entry.key.finding == Finding::SkippedBarrier)
      barriers.push_back(entry.hazard.where.line);
  std::vector<trace::Hazard> hazards;
  for (auto& [what, hazard] : found) {
    hazard.count = counts[what];
    const auto [first, last] = lines_of(hazard);
    const auto between =
        std::ranges::find_if(barriers, [&](int line) { return first < line && line < last; });
    if (hazard.kind == trace::HazardKind::Race && first > 0 && between != barriers.end())
      name_partial_barrier(hazard, *between);
    hazards.push_back(std::move(hazard));
  }
  return hazards;
}

}  // namespace lanescope::emulator
