// Loads for which a warp has to wait before it goes on. Method: the assembler moves instructions only within
// a basic block, and a warp issues them in order. So the loads of a basic block are under way together,
// unless an address or a guard comes from one of the others; the next basic block begins after those whose
// values were read. Rounds of a loop of one basic block that only loads are under way together too, unless an
// address, a guard or the end of the loop comes from what it loads: the assembler unrolls such a loop. MODEL:
// it may not, and a warp of diverged lanes may work on another path. Tests:
// tests/unit/ptx/load_waits_test.cpp

#include "ptx/lower_passes.h"
#include "ptx/opcode_traits.h"

#include <algorithm>
#include <utility>

namespace lanescope::ptx {
namespace {

using Sites = std::vector<uint16_t>;  // sorted

bool is_cached(const MemoryOperation& operation) {
  return operation.space == MemorySpace::Global || operation.space == MemorySpace::Local;
}

void add(Sites& to, const Sites& more) {
  for (const uint16_t site : more) {
    const auto place = std::ranges::lower_bound(to, site);
    if (place == to.end() || *place != site) to.insert(place, site);
  }
}

/// One basic block, step by step.
class BlockWalk {
 public:
  BlockWalk(const Program& program, const std::vector<int>& nounroll_lines, std::vector<LoadWait>& waits)
      : program_(program),
        nounroll_lines_(nounroll_lines),
        waits_(waits),
        from_(program.slots.size()),
        loaded_(program.slots.size()) {}

  void walk(uint32_t block) {
    const BasicBlock& steps = program_.blocks[block];
    for (uint32_t at = steps.first; at < steps.end; ++at) visit(block, at);
    if (may_unroll(block))
      for (uint32_t at = steps.first; at < steps.end; ++at)
        for_each_site(program_.steps[at], [&](uint16_t site) { waits_[site].spans_rounds = true; });
    for (const Slot slot : touched_) {
      from_[slot].clear();
      loaded_[slot].clear();
    }
    touched_.clear();
  }

 private:
  template <class F>
  void for_each_site(const Step& step, F&& f) const {
    const Space space = program_.modifiers[step.modifiers].space;
    if (!is_memory(step.op) || space == Space::Parameter || space == Space::Frame) return;
    const size_t end = std::min<size_t>(step.site + site_count(space), waits_.size());
    for (size_t n = step.site; n < end; ++n) f(static_cast<uint16_t>(n));
  }

  /// Whether the block, which was visited, is a loop that the assembler can unroll. A second round follows
  /// the values that the first has loaded.
  bool may_unroll(uint32_t block) const {
    const BasicBlock& steps = program_.blocks[block];
    const Step& last = program_.steps[steps.end - 1];
    if (last.op != Op::bra || last.immediate != static_cast<int32_t>(block)) return false;
    if (last.guard != kNoSlot && !from_[last.guard].empty()) return false;
    if (is_kept_rolled(steps)) return false;
    std::vector<bool> is_loaded(from_.size());  // [slot] computed from what a round before has loaded
    for (const Slot slot : touched_) is_loaded[slot] = !from_[slot].empty();
    for (uint32_t at = steps.first; at < steps.end; ++at) {
      const Step& step = program_.steps[at];
      if (is_memory(step.op) && stores(step.op)) return false;
      bool needs = false;
      for_each_source(program_, step, [&](Slot slot) { needs = needs || is_loaded[slot]; });
      if (needs && (is_memory(step.op) || at + 1 == steps.end)) return false;
      for_each_destination(program_, step, [&](Slot slot) {
        if (needs || step.guard == kNoSlot) is_loaded[slot] = needs;
      });
    }
    return true;
  }

  /// Whether a "nounroll" stands before one of its instructions.
  bool is_kept_rolled(const BasicBlock& steps) const {
    const int before = steps.first == 0 ? 0 : program_.origins[steps.first - 1].ptx_line;
    const int last = program_.origins[steps.end - 1].ptx_line;
    return std::ranges::any_of(nounroll_lines_, [&](int line) { return before < line && line <= last; });
  }

  void visit(uint32_t block, uint32_t at) {
    const Step& step = program_.steps[at];
    Sites needs;
    for_each_source(program_, step, [&](Slot slot) {
      for (const uint16_t site : loaded_[slot]) waits_[site].is_used = true;
      add(needs, from_[slot]);
    });
    Sites own;
    for_each_site(step, [&](uint16_t site) {
      waits_[site] = {.block = block, .step = at, .needs = needs};
      if (loads(step.op) && is_cached(program_.sites[site].operation)) own.push_back(site);
    });
    for_each_destination(program_, step, [&](Slot slot) {
      touched_.push_back(slot);
      for (const uint16_t site : own) waits_[site].fills_register = true;
      // A guarded step may leave what was there.
      if (step.guard == kNoSlot) {
        from_[slot].clear();
        loaded_[slot].clear();
      }
      add(from_[slot], own.empty() ? needs : own);
      add(loaded_[slot], own);
    });
  }

  const Program& program_;
  const std::vector<int>& nounroll_lines_;
  std::vector<LoadWait>& waits_;
  std::vector<Sites> from_;    // [slot] loads that its value was computed from
  std::vector<Sites> loaded_;  // [slot] loads whose value it holds
  std::vector<Slot> touched_;
};

}  // namespace

void find_load_waits(Program& program, const std::vector<int>& nounroll_lines) {
  std::vector<LoadWait> waits(program.sites.size());
  BlockWalk walk(program, nounroll_lines, waits);
  for (uint32_t block = 0; block < program.blocks.size(); ++block) walk.walk(block);
  // A copy between two state spaces has a site for each; it loads no register.
  for (size_t site = 1; site < waits.size(); ++site)
    if (waits[site] == LoadWait{})
      waits[site] = {.block = waits[site - 1].block, .step = waits[site - 1].step};
  for (size_t site = 0; site < waits.size(); ++site) program.sites[site].wait = std::move(waits[site]);
}

}  // namespace lanescope::ptx
