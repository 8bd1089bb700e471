#include "sass/paths.h"

#include <algorithm>

namespace lanescope::sass {

Paths::Paths(const ptx::Program& program, const ptx::Successors& successors)
    : program_(program), successors_(successors), meets_(ptx::immediate_post_dominators(successors)) {
  ptx::Successors predecessors(successors_.size());
  for (uint32_t block = 0; block < successors_.size(); ++block)
    for (const uint32_t next : successors_[block]) predecessors[next].push_back(block);
  dominators_ = ptx::immediate_post_dominators(predecessors);
  for (uint32_t block = 0; block < successors_.size(); ++block)
    for (const uint32_t next : successors_[block])
      if (program.blocks[next].round_end != 0 && is_in_loop(next, block)) ++rounds_[next];
}

bool Paths::is_in_loop(uint32_t header, uint32_t block) const {
  const ptx::BasicBlock& loop = program_.blocks[header];
  return loop.round_end != 0 && loop.position <= program_.blocks[block].position &&
         program_.blocks[block].position < loop.round_end;
}

uint32_t Paths::ways_to_round(uint32_t header) const {
  const auto found = rounds_.find(header);
  return found == rounds_.end() ? 0 : found->second;
}

std::optional<uint32_t> Paths::parting_of(uint32_t block) const {
  uint32_t before = dominators_[block];
  while (before != ptx::kExit) {
    const auto header = outermost_without(before, block);
    if (!header) return before;
    const uint32_t further = dominators_[*header];
    if (further == ptx::kExit || program_.blocks[further].position >= program_.blocks[before].position)
      return std::nullopt;
    before = further;
  }
  return std::nullopt;
}

std::vector<uint32_t> Paths::branches_to(uint32_t meeting,
                                         const std::vector<ptx::PositionRange>& positions) const {
  const auto leads_there = [&](uint32_t block) {
    const uint32_t position = program_.blocks[block].position;
    return block == meeting || std::ranges::any_of(positions, [&](const ptx::PositionRange& range) {
             return range.begin <= position && position < range.end;
           });
  };
  std::vector<uint32_t> found;
  for (uint32_t block = 0; block < successors_.size(); ++block)
    if (std::ranges::count_if(successors_[block], leads_there) > 1) found.push_back(block);
  return found;
}

/// The outermost loop around `block` that `other` is not in.
std::optional<uint32_t> Paths::outermost_without(uint32_t block, uint32_t other) const {
  std::optional<uint32_t> found;
  for (const auto& [header, ways] : rounds_)
    if (is_in_loop(header, block) && !is_in_loop(header, other) &&
        (!found || program_.blocks[header].position < program_.blocks[*found].position))
      found = header;
  return found;
}

}  // namespace lanescope::sass
