#include "sass/reconvergence.h"

#include "ptx/lower_passes.h"
#include "ptx/reconvergence.h"
#include "sass/convergence.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace lanescope::sass {
namespace {

using Barriers = ptx::ConvergenceBarriers;
constexpr uint32_t kNone = 0xffffffff;

/// What an instruction of the machine code does to the flow of control.
struct Flow {
  bool ends_block = false;
  bool is_sync = false;         // BSSY, BREAK, WARPSYNC, YIELD: its line may be of other code
  bool yields = false;          // lanes that wait at a BSYNC go on, as where others may poll
  bool is_conditional = false;  // a branch, a jump by a table or an exit that some lanes take
  std::optional<uint32_t> target = {};
};

Flow flow_at(const MachineFunction& function, uint32_t pc) {
  constexpr uint64_t kAlways = 7;  // the predicate PT
  uint64_t low = 0;
  std::memcpy(&low, function.code.data() + pc, sizeof low);
  const bool is_conditional = (low >> 12 & 15) != kAlways;
  switch (low & 0x1ff) {
    case 0x147: {  // BRA: bits 32 to 63 are a quarter of the distance from the next instruction
      const int64_t distance = int64_t{static_cast<int32_t>(low >> 32)} * 4;
      const int64_t target = int64_t{pc} + kInstructionBytes + distance;
      const bool is_inside = target >= 0 && target < static_cast<int64_t>(function.code.size());
      return {true, false, false, is_conditional,
              is_inside ? std::optional(static_cast<uint32_t>(target)) : std::nullopt};
    }
    case 0x149:  // BRX
      return {.ends_block = true, .is_conditional = true};
    case 0x14d:  // EXIT
      return {.ends_block = true, .is_conditional = is_conditional};
    case 0x141:  // BSYNC
    case 0x150:  // RET
      return {.ends_block = true};
    case 0x142:  // BREAK
    case 0x145:  // BSSY
    case 0x148:  // WARPSYNC
      return {.is_sync = true};
    case 0x146:  // YIELD
      return {.is_sync = true, .yields = true};
    default:
      return {};
  }
}

/// The machine code of a kernel by the basic blocks of its PTX.
class Places {
 public:
  Places(const MachineFunction& function, const ptx::Program& program, const ptx::Successors& successors)
      : function_(function), program_(program), successors_(successors) {
    for (uint32_t block = 0; block < program.blocks.size(); ++block)
      for (uint32_t step = program.blocks[block].first; step < program.blocks[block].end; ++step)
        if (program.origins[step].ptx_line > 0)
          blocks_of_line_.emplace(static_cast<uint32_t>(program.origins[step].ptx_line), block);
    for (uint32_t pc = 0; pc + kInstructionBytes <= function.code.size(); pc += kInstructionBytes) {
      const Flow flow = flow_at(function, pc);
      if (flow.target) targets_.insert(*flow.target);
      yields_ = yields_ || flow.yields;
      if (flow.is_conditional) conditional_lines_.insert(function.line_at(pc));
    }
  }

  bool lets_waiting_lanes_go_on() const { return yields_; }

  /// Whether the branch at the end of the block is one in the machine code too.
  bool stays_branch(uint32_t block) const {
    const ptx::BasicBlock& at = program_.blocks[block];
    return at.end != at.first &&
           conditional_lines_.contains(static_cast<uint32_t>(program_.origins[at.end - 1].ptx_line));
  }

  /// Blocks of the PTX where paths meet that the code from `pc` on was made of, or that follow it.
  std::set<uint32_t> meetings_at(uint32_t pc) const {
    std::set<uint32_t> meetings;
    std::set<uint32_t> later;  // that another one leads to
    for (const uint32_t block : blocks_from(pc)) {
      std::optional<uint32_t> meeting = meets(block) ? std::optional(block) : std::nullopt;
      for_each_after(block, [&](uint32_t next) {
        if (!meeting && meets(next)) meeting = next;
        if (meeting && next != *meeting) later.insert(next);
        return true;
      });
      if (meeting) meetings.insert(*meeting);
    }
    std::erase_if(meetings, [&](uint32_t block) { return meetings.size() > 1 && later.contains(block); });
    return meetings;
  }

  /// Block of the branch that ends the basic block of an instruction; no value if it ends otherwise.
  std::optional<uint32_t> branch_after(uint32_t pc) const {
    for (; pc + kInstructionBytes <= function_.code.size(); pc += kInstructionBytes) {
      const Flow flow = flow_at(function_, pc);
      if (flow.ends_block) return flow.is_conditional ? block_at(pc) : std::nullopt;
      if (targets_.contains(pc + kInstructionBytes)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Block of the line of an instruction.
  std::optional<uint32_t> block_at(uint32_t pc) const {
    const auto found = blocks_of_line_.find(function_.line_at(pc));
    return found == blocks_of_line_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  bool meets(uint32_t block) const {
    return !program_.blocks[block].pending.empty() || !program_.blocks[block].round_pending.empty();
  }

  /// Calls f(block) for the blocks that follow one another without a choice, while it returns true.
  template <class F>
  void for_each_after(uint32_t block, F&& f) const {
    constexpr int kMost = 16;
    for (int n = 0; n < kMost && successors_[block].size() == 1; ++n) {
      block = successors_[block].front();
      if (!f(block)) return;
    }
  }

  /// Those of the instructions from `pc` to the end of their basic block; of those that a branch leads to,
  /// where these have none.
  std::set<uint32_t> blocks_from(uint32_t pc) const {
    constexpr int kMostBranches = 4;
    std::set<uint32_t> blocks;
    for (int n = 0; n < kMostBranches && blocks.empty(); ++n) {
      std::optional<uint32_t> next;
      for (uint32_t at = pc; at + kInstructionBytes <= function_.code.size(); at += kInstructionBytes) {
        if (at != pc && targets_.contains(at)) break;
        const Flow flow = flow_at(function_, at);
        // The line of an instruction that only leads elsewhere may be of the code before.
        const bool is_of_block = flow.ends_block ? flow.is_conditional : !flow.is_sync;
        if (const auto block = block_at(at); block && is_of_block) blocks.insert(*block);
        if (flow.ends_block) {
          next = flow.target;
          break;
        }
      }
      if (!next) break;
      pc = *next;
    }
    return blocks;
  }

  const MachineFunction& function_;
  const ptx::Program& program_;
  const ptx::Successors& successors_;
  std::map<uint32_t, uint32_t> blocks_of_line_;
  std::set<uint32_t> targets_;
  std::set<uint32_t> conditional_lines_;
  bool yields_ = false;
};

/// Where paths part and meet in the PTX.
class Paths {
 public:
  Paths(const ptx::Program& program, const ptx::Successors& successors)
      : program_(program), successors_(successors), meets_(ptx::immediate_post_dominators(successors)) {
    ptx::Successors predecessors(successors_.size());
    for (uint32_t block = 0; block < successors_.size(); ++block)
      for (const uint32_t next : successors_[block]) predecessors[next].push_back(block);
    dominators_ = ptx::immediate_post_dominators(predecessors);
    for (uint32_t block = 0; block < successors_.size(); ++block)
      for (const uint32_t next : successors_[block])
        if (program.blocks[next].round_end != 0 && is_in_loop(next, block)) ++rounds_[next];
  }

  bool is_in_loop(uint32_t header, uint32_t block) const {
    const ptx::BasicBlock& loop = program_.blocks[header];
    return loop.round_end != 0 && loop.position <= program_.blocks[block].position &&
           program_.blocks[block].position < loop.round_end;
  }
  /// Edges over which lanes come for the loop's next round.
  uint32_t ways_to_round(uint32_t header) const {
    const auto found = rounds_.find(header);
    return found == rounds_.end() ? 0 : found->second;
  }
  uint32_t meeting_of(uint32_t block) const { return meets_[block]; }

  /// Where lanes that meet at the block were last together: its dominator outside of loops that it is not in;
  /// kNone: not known.
  uint32_t parting_of(uint32_t block) const {
    uint32_t before = dominators_[block];
    while (before != ptx::kExit) {
      const uint32_t header = outermost_without(before, block);
      if (header == kNone) return before;
      const uint32_t further = dominators_[header];
      if (further == ptx::kExit || program_.blocks[further].position >= program_.blocks[before].position)
        return kNone;
      before = further;
    }
    return kNone;
  }

  /// Blocks that end in a branch from which lanes can come to `meeting` over several ways. `positions`: of
  /// lanes that can still come there.
  std::vector<uint32_t> branches_to(uint32_t meeting,
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

 private:
  /// The outermost loop around `block` that `other` is not in; kNone: there is none.
  uint32_t outermost_without(uint32_t block, uint32_t other) const {
    uint32_t found = kNone;
    for (const auto& [header, ways] : rounds_)
      if (is_in_loop(header, block) && !is_in_loop(header, other) &&
          (found == kNone || program_.blocks[header].position < program_.blocks[found].position))
        found = header;
    return found;
  }

  const ptx::Program& program_;
  const ptx::Successors& successors_;
  std::vector<uint32_t> meets_;
  std::vector<uint32_t> dominators_;
  std::map<uint32_t, uint32_t> rounds_;  // [header] edges to its next round
};

/// Fills the barriers of a program.
class BarrierPlan {
 public:
  BarrierPlan(const ptx::Program& program, const Places& places, const Paths& paths)
      : program_(program), places_(places), paths_(paths) {
    const size_t blocks = program.blocks.size();
    for (auto* const lists : {&barriers_.at, &barriers_.at_round, &barriers_.opened, &barriers_.closed})
      lists->resize(blocks);
  }

  /// False if a BSSY leads to no place where paths meet.
  bool read(const std::vector<ConvergenceInstruction>& instructions) {
    for (const ConvergenceInstruction& one : instructions) {
      if (one.kind != ConvergenceInstruction::Kind::Bssy) continue;
      const auto branch = places_.branch_after(one.pc);
      const auto opened = branch ? branch : places_.block_at(one.pc);
      const uint32_t last = branch ? paths_.meeting_of(*branch) : ptx::kExit;
      const auto meeting = meeting_of(places_.meetings_at(one.target), opened, last);
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

  /// A barrier that lanes open when they have run `opened`; kNone: they have it open from the start.
  uint32_t add_barrier(uint32_t opened, bool open_at_start) {
    const auto barrier = static_cast<uint32_t>(barriers_.open_at_start.size());
    barriers_.open_at_start.push_back(open_at_start);
    if (opened != kNone) barriers_.opened[opened].push_back(barrier);
    return barrier;
  }

  /// Branches to `block` that became predicated instructions, whose paths meet there first: their lanes never
  /// part. Adds a barrier for each to `at`.
  void add_predicated(uint32_t block, const std::vector<uint32_t>& branches, Barriers::Numbers& at) {
    for (const uint32_t branch : branches) {
      if (places_.stays_branch(branch) || paths_.meeting_of(branch) != block) continue;
      at.push_back(add_barrier(branch, false));
      barriers_.closed[block].push_back(at.back());
    }
  }

  /// Whether lanes that parted at one of the branches are still apart when they come to `block`.
  bool are_apart(uint32_t block, const std::vector<uint32_t>& branches) const {
    return std::ranges::any_of(branches, [&](uint32_t branch) {
      if (!places_.stays_branch(branch)) return false;
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
  const Places& places_;
  const Paths& paths_;
  std::set<uint32_t> meetings_;  // blocks that a BSSY leads to
  std::set<uint32_t> rounds_;    // headers that a BSSY of their loop leads to
  Barriers barriers_;
  std::set<uint32_t> apart_;  // blocks where paths meet and lanes stay apart
};

}  // namespace

Reconvergence reconvergence_of(const MachineFunction& function, const ptx::Program& program) {
  const ptx::Successors successors = ptx::successors_of(program);
  const Places places(function, program, successors);
  if (places.lets_waiting_lanes_go_on()) return {Reconvergence::Kind::Unknown, nullptr};
  const Paths paths(program, successors);
  BarrierPlan plan(program, places, paths);
  if (!plan.read(convergence_of(function, program))) return {Reconvergence::Kind::Unknown, nullptr};
  return plan.finish();
}

}  // namespace lanescope::sass
