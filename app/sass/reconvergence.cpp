#include "sass/reconvergence.h"

#include "ptx/lower_passes.h"
#include "ptx/reconvergence.h"
#include "sass/code_blocks.h"
#include "sass/convergence.h"
#include "sass/paths.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace lanescope::sass {
namespace {

using Barriers = ptx::ConvergenceBarriers;

/// Fills the barriers of a program.
class BarrierPlan {
 public:
  BarrierPlan(const ptx::Program& program, const CodeBlocks& code, const Paths& paths)
      : program_(program), code_(code), paths_(paths) {
    const size_t blocks = program.blocks.size();
    for (auto* const lists : {&barriers_.at, &barriers_.at_round, &barriers_.opened, &barriers_.closed})
      lists->resize(blocks);
  }

  /// False if a BSSY leads to no place where paths meet.
  bool read(const std::vector<ConvergenceInstruction>& instructions) {
    for (const ConvergenceInstruction& one : instructions) {
      if (one.kind != ConvergenceInstruction::Kind::Bssy) continue;
      const auto branch = code_.branch_after(one.pc);
      const auto opened = branch ? branch : code_.block_at(one.pc);
      const uint32_t last = branch ? paths_.meeting_of(*branch) : ptx::kExit;
      const auto meeting = meeting_of(code_.meetings_at(one.target), opened, last);
      if (!meeting) return false;
      const bool is_round = opened && paths_.is_in_loop(*meeting, *opened);
      (is_round ? rounds_ : meetings_).insert(*meeting);
    }
    return true;
  }

  Reconvergence finish() {
    std::vector<uint32_t> order(program_.blocks.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](uint32_t block) { return program_.blocks[block].position; });
    for (const uint32_t block : order) {
      plan_meeting(block);
      plan_round(block);
      plan_return(block);
    }
    if (apart_.empty()) return {};
    return {Reconvergence::Kind::AtBarriers, std::make_shared<const Barriers>(std::move(barriers_))};
  }

 private:
  /// The nearest meeting after the block where the barrier is opened and up to `last`, where all its lanes
  /// meet; else the loop whose next round it is.
  std::optional<uint32_t> meeting_of(const std::set<uint32_t>& meetings, std::optional<uint32_t> opened,
                                     uint32_t last) const {
    const auto position = [&](uint32_t block) { return program_.blocks[block].position; };
    std::optional<uint32_t> found;
    for (const uint32_t block : meetings) {
      const bool is_after = !opened || position(block) > position(*opened);
      const bool is_before = last == ptx::kExit || position(block) <= position(last);
      if (is_after && is_before && (!found || position(block) < position(*found))) found = block;
    }
    if (found) return found;
    for (const uint32_t block : meetings)
      if (paths_.is_in_loop(block, *opened) && (!found || position(block) > position(*found))) found = block;
    return found;
  }

  /// A barrier that lanes open when they have run `opened`; no value: they have it open from the start.
  uint32_t add_barrier(std::optional<uint32_t> opened, bool open_at_start) {
    const auto barrier = static_cast<uint32_t>(barriers_.open_at_start.size());
    barriers_.open_at_start.push_back(open_at_start);
    if (opened) barriers_.opened[*opened].push_back(barrier);
    return barrier;
  }

  /// Branches to `block` that became predicated instructions, whose paths meet there first: their lanes never
  /// part. Adds a barrier for each to `at`.
  void add_predicated(uint32_t block, const std::vector<uint32_t>& branches, Barriers::Numbers& at) {
    for (const uint32_t branch : branches) {
      if (code_.stays_branch(branch) || paths_.meeting_of(branch) != block) continue;
      at.push_back(add_barrier(branch, false));
      barriers_.closed[block].push_back(at.back());
    }
  }

  /// Whether lanes that parted at one of the branches are still apart when they come to `block`.
  bool are_apart(uint32_t block, const std::vector<uint32_t>& branches) const {
    return std::ranges::any_of(branches, [&](uint32_t branch) {
      if (!code_.stays_branch(branch)) return false;
      const uint32_t first = paths_.meeting_of(branch);
      return first == ptx::kExit || first == block || apart_.contains(first) ||
             program_.blocks[first].position > program_.blocks[block].position;
    });
  }

  void plan_meeting(uint32_t block) {
    const auto& pending = program_.blocks[block].pending;
    if (pending.empty()) return;
    const std::vector<uint32_t> branches = paths_.branches_to(block, pending);
    if (meetings_.contains(block) || !are_apart(block, branches)) {
      barriers_.at[block].push_back(add_barrier(paths_.parting_of(block), true));
      return;
    }
    add_predicated(block, branches, barriers_.at[block]);
    apart_.insert(block);
  }

  void plan_round(uint32_t header) {
    const auto& pending = program_.blocks[header].round_pending;
    if (pending.empty()) return;
    const std::vector<uint32_t> branches = paths_.branches_to(header, pending);
    if (rounds_.contains(header) || !are_apart(header, branches)) {
      barriers_.at_round[header].push_back(add_barrier(header, true));
      return;
    }
    add_predicated(header, branches, barriers_.at_round[header]);
    if (paths_.ways_to_round(header) > 1) apart_.insert(header);
  }

  /// Of lanes that come from a call.
  void plan_return(uint32_t block) {
    if (block == 0) return;
    const ptx::BasicBlock& before = program_.blocks[block - 1];
    if (before.first == before.end || program_.steps[before.end - 1].op != ptx::Op::call) return;
    if (program_.calls[program_.steps[before.end - 1].list].kind == ptx::Call::Kind::Pointer) {
      apart_.insert(block);
    } else if (barriers_.at[block].empty()) {
      barriers_.at[block].push_back(add_barrier(block - 1, true));
    }
  }

  const ptx::Program& program_;
  const CodeBlocks& code_;
  const Paths& paths_;
  std::set<uint32_t> meetings_;  // blocks that a BSSY leads to
  std::set<uint32_t> rounds_;    // headers that a BSSY of their loop leads to
  Barriers barriers_;
  std::set<uint32_t> apart_;  // blocks where paths meet and lanes stay apart
};

}  // namespace

Reconvergence reconvergence_of(const MachineFunction& function, const ptx::Program& program) {
  const ptx::Successors successors = ptx::successors_of(program);
  const CodeBlocks code(function, program, successors);
  if (code.lets_waiting_lanes_go_on()) return {Reconvergence::Kind::Unknown, nullptr};
  const Paths paths(program, successors);
  BarrierPlan plan(program, code, paths);
  if (!plan.read(convergence_of(function, program))) return {Reconvergence::Kind::Unknown, nullptr};
  return plan.finish();
}

}  // namespace lanescope::sass
