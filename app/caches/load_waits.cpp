#include "caches/load_waits.h"

#include "caches/block_stream.h"

#include <algorithm>

namespace lanescope::caches {
namespace {

using Sites = std::vector<uint16_t>;  // sorted

void add(Sites& to, const Sites& more) {
  for (const uint16_t site : more) {
    const auto place = std::ranges::lower_bound(to, site);
    if (place == to.end() || *place != site) to.insert(place, site);
  }
}

/// One basic block, step by step.
class BlockWalk {
 public:
  BlockWalk(const ptx::Program& program, std::vector<LoadWait>& waits)
      : program_(program), waits_(waits), from_(program.slots.size()), loaded_(program.slots.size()) {}

  void walk(uint32_t block) {
    const ptx::BasicBlock& steps = program_.blocks[block];
    for (uint32_t at = steps.first; at < steps.end; ++at) visit(block, at);
    for (const ptx::Slot slot : touched_) {
      from_[slot].clear();
      loaded_[slot].clear();
    }
    touched_.clear();
  }

 private:
  void visit(uint32_t block, uint32_t at) {
    const ptx::Step& step = program_.steps[at];
    Sites needs;
    ptx::for_each_source(program_, step, [&](ptx::Slot slot) {
      for (const uint16_t site : loaded_[slot]) waits_[site].is_used = true;
      add(needs, from_[slot]);
    });
    Sites own;
    const ptx::Space space = program_.modifiers[step.modifiers].space;
    const bool is_recorded = space != ptx::Space::Parameter && space != ptx::Space::Frame;
    if (ptx::is_memory(step.op) && is_recorded) {
      const size_t end = std::min<size_t>(step.site + ptx::site_count(space), waits_.size());
      for (size_t n = step.site; n < end; ++n) {
        const auto site = static_cast<uint16_t>(n);
        waits_[site] = {
            .block = block, .step = at, .fills_register = false, .is_used = false, .needs = needs};
        if (ptx::loads(step.op) && is_cached(program_.sites[site].operation.space)) own.push_back(site);
      }
    }
    ptx::for_each_destination(program_, step, [&](ptx::Slot slot) {
      touched_.push_back(slot);
      for (const uint16_t site : own) waits_[site].fills_register = true;
      // A guarded step may leave what was there.
      if (step.guard == ptx::kNoSlot) {
        from_[slot].clear();
        loaded_[slot].clear();
      }
      add(from_[slot], own.empty() ? needs : own);
      add(loaded_[slot], own);
    });
  }

  const ptx::Program& program_;
  std::vector<LoadWait>& waits_;
  std::vector<Sites> from_;    // [slot] loads that its value was computed from
  std::vector<Sites> loaded_;  // [slot] loads whose value it holds
  std::vector<ptx::Slot> touched_;
};

}  // namespace

std::vector<LoadWait> load_waits(const ptx::Program& program) {
  std::vector<LoadWait> waits(program.sites.size());
  BlockWalk walk(program, waits);
  for (uint32_t block = 0; block < program.blocks.size(); ++block) walk.walk(block);
  // A copy between two state spaces has a site for each; it loads no register.
  for (size_t site = 1; site < waits.size(); ++site)
    if (waits[site] == LoadWait{})
      waits[site] = {.block = waits[site - 1].block,
                     .step = waits[site - 1].step,
                     .fills_register = false,
                     .is_used = false,
                     .needs = {}};
  return waits;
}

}  // namespace lanescope::caches
