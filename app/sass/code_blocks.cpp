#include "sass/code_blocks.h"

#include "sass/control_flow.h"

#include <algorithm>

namespace lanescope::sass {
namespace {

/// True for what lanes choose at the end of a basic block: a branch, a jump by a table, an exit of some
/// lanes.
bool is_choice(const ControlInstruction& control) {
  using enum ControlInstruction::Kind;
  return control.is_conditional && (control.kind == Bra || control.kind == Brx || control.kind == Exit);
}

}  // namespace

CodeBlocks::CodeBlocks(const MachineFunction& function, const ptx::Program& program,
                       const ptx::Successors& successors)
    : function_(function), program_(program), successors_(successors) {
  for (uint32_t block = 0; block < program.blocks.size(); ++block)
    for (uint32_t step = program.blocks[block].first; step < program.blocks[block].end; ++step)
      if (program.origins[step].ptx_line > 0)
        blocks_of_line_.emplace(static_cast<uint32_t>(program.origins[step].ptx_line), block);
  for (uint32_t pc = 0; pc + kInstructionBytes <= function.code.size(); pc += kInstructionBytes) {
    const auto control = control_at(function, pc);
    if (!control) continue;
    if (control->kind == ControlInstruction::Kind::Bra && control->target) targets_.insert(*control->target);
    yields_ = yields_ || control->kind == ControlInstruction::Kind::Yield;
    if (is_choice(*control)) conditional_lines_.insert(function.line_at(pc));
  }
}

bool CodeBlocks::stays_branch(uint32_t block) const {
  const ptx::BasicBlock& at = program_.blocks[block];
  return at.end != at.first &&
         conditional_lines_.contains(static_cast<uint32_t>(program_.origins[at.end - 1].ptx_line));
}

std::set<uint32_t> CodeBlocks::meetings_at(uint32_t pc) const {
  std::set<uint32_t> meetings;
  std::set<uint32_t> later;  // that another one leads to
  for (const uint32_t block : blocks_from(pc)) {
    std::optional<uint32_t> meeting = meets(block) ? std::optional(block) : std::nullopt;
    for_each_after(block, [&](uint32_t next) {
      if (!meeting && meets(next)) meeting = next;
      if (meeting && next != *meeting) later.insert(next);
    });
    if (meeting) meetings.insert(*meeting);
  }
  std::erase_if(meetings, [&](uint32_t block) { return meetings.size() > 1 && later.contains(block); });
  return meetings;
}

std::optional<uint32_t> CodeBlocks::branch_after(uint32_t pc) const {
  for (; pc + kInstructionBytes <= function_.code.size(); pc += kInstructionBytes) {
    const auto control = control_at(function_, pc);
    if (control && ends_block(control->kind)) return is_choice(*control) ? block_at(pc) : std::nullopt;
    if (targets_.contains(pc + kInstructionBytes)) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint32_t> CodeBlocks::block_at(uint32_t pc) const {
  const auto found = blocks_of_line_.find(function_.line_at(pc));
  return found == blocks_of_line_.end() ? std::nullopt : std::optional(found->second);
}

bool CodeBlocks::meets(uint32_t block) const {
  return !program_.blocks[block].pending.empty() || !program_.blocks[block].round_pending.empty();
}

/// Calls f(block) for the blocks that follow one another without a choice.
template <class F>
void CodeBlocks::for_each_after(uint32_t block, F&& f) const {
  constexpr int kMost = 16;
  for (int n = 0; n < kMost && successors_[block].size() == 1; ++n) {
    block = successors_[block].front();
    f(block);
  }
}

/// Blocks of the instructions from `pc` to the end of their basic block; of those that a branch leads to,
/// where these have none.
std::set<uint32_t> CodeBlocks::blocks_from(uint32_t pc) const {
  constexpr int kMostBranches = 4;
  std::set<uint32_t> blocks;
  for (int n = 0; n < kMostBranches && blocks.empty(); ++n) {
    std::optional<uint32_t> next;
    for (uint32_t at = pc; at + kInstructionBytes <= function_.code.size(); at += kInstructionBytes) {
      if (at != pc && targets_.contains(at)) break;
      const auto control = control_at(function_, at);
      // The line of an instruction that only leads elsewhere may be of the code before.
      const bool is_of_block = !control || is_choice(*control);
      if (const auto block = block_at(at); block && is_of_block) blocks.insert(*block);
      if (control && ends_block(control->kind)) {
        next = control->target;
        break;
      }
    }
    if (!next) break;
    pc = *next;
  }
  return blocks;
}

}  // namespace lanescope::sass
