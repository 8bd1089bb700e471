#include "gpu/instrument/access_groups.h"

#include "ptx/opcode.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace lanescope::gpu {
namespace {

constexpr int64_t kMostDistance = 1 << 20;

/// After it other lanes may be active than before, or other functions have recorded.
bool ends_a_stretch(const ptx::Instruction& instruction) {
  switch (ptx::traits_of(instruction.op).effect) {
    case ptx::Effect::Computes:
    case ptx::Effect::Advises:
    case ptx::Effect::MovesStack:
      return false;
    case ptx::Effect::Accesses: {
      const ptx::Space space = instruction.modifiers.space;
      return space != ptx::Space::Parameter && space != ptx::Space::Frame && !may_be_grouped(instruction);
    }
    case ptx::Effect::ReadsLanes:
    case ptx::Effect::Jumps:
    case ptx::Effect::Calls:
    case ptx::Effect::Barrier:
    case ptx::Effect::Synchronizes:
      return true;
  }
  return true;
}

class Groups {
 public:
  explicit Groups(const ptx::Function& function) : function_(function) {
    for (const ptx::Label& label : function.labels) labels_.insert(label.instruction);
  }

  std::vector<GroupedAccess> make() {
    const auto count = static_cast<uint32_t>(function_.instructions.size());
    for (uint32_t n = 0; n < count; ++n) {
      const ptx::Instruction& instruction = function_.instructions[n];
      if (labels_.contains(n)) {
        begin_stretch(n);
        block_ = n;
      }
      all_.push_back({.leader = n, .stretch = stretch_, .block = block_});
      if (may_be_grouped(instruction)) join(n, instruction);
      forget_written(instruction);
      if (ends_a_stretch(instruction)) begin_stretch(n + 1);
      if (ptx::traits_of(instruction.op).effect == ptx::Effect::Jumps) block_ = n + 1;
    }
    return std::move(all_);
  }

 private:
  using Base = decltype(ptx::AddressOperand::base);
  struct Open {
    ptx::Space space;
    Base base;
    int64_t offset;  // the leader's
    uint32_t leader;
  };

  void begin_stretch(uint32_t first) {
    stretch_ = first;
    open_.clear();
  }

  void join(uint32_t n, const ptx::Instruction& instruction) {
    const size_t operand = *ptx::traits_of(instruction.op).address;
    const auto* address = std::get_if<ptx::AddressOperand>(&instruction.operands[operand]);
    if (address == nullptr) return;
    const ptx::Space space = instruction.modifiers.space;
    const auto found = std::ranges::find_if(open_, [&](const Open& open) {
      return open.space == space && open.base == address->base &&
             std::abs(address->offset - open.offset) <= kMostDistance;
    });
    if (found == open_.end()) {
      open_.push_back({space, address->base, address->offset, n});
      return;
    }
    all_[n].leader = found->leader;
    all_[n].distance = address->offset - found->offset;
    ++all_[found->leader].followers;
  }

  void forget_written(const ptx::Instruction& instruction) {
    const ptx::OpcodeRow& row = ptx::row_of(instruction.op);
    const size_t count = std::min(instruction.operands.size(), row.operands.size());
    for (size_t n = 0; n < count; ++n) {
      if (row.operands[n].role != ptx::OperandRole::Destination) continue;
      if (const auto* written = std::get_if<ptx::RegisterOperand>(&instruction.operands[n])) forget(*written);
      if (const auto* vector = std::get_if<ptx::VectorOperand>(&instruction.operands[n]))
        for (const ptx::ScalarOperand& element : vector->elements)
          if (const auto* written = std::get_if<ptx::RegisterOperand>(&element)) forget(*written);
    }
  }

  void forget(const ptx::RegisterOperand& written) {
    std::erase_if(open_, [&](const Open& open) {
      const auto* base = std::get_if<ptx::RegisterOperand>(&open.base);
      return base != nullptr && base->index == written.index;
    });
  }

  const ptx::Function& function_;
  std::set<uint32_t> labels_;  // instructions after one
  std::vector<Open> open_;
  uint32_t stretch_ = 0;
  uint32_t block_ = 0;
  std::vector<GroupedAccess> all_;
};

}  // namespace

bool may_be_grouped(const ptx::Instruction& instruction) {
  const auto access = ptx::access_of(instruction.op);
  if (!access || access->shape != ptx::AccessShape::PerLane || ptx::updates_memory(instruction.op))
    return false;
  const ptx::Space space = instruction.modifiers.space;
  return !instruction.guard && space != ptx::Space::Generic && space != ptx::Space::Parameter &&
         space != ptx::Space::Frame;
}

std::vector<GroupedAccess> access_groups(const ptx::Function& function) { return Groups(function).make(); }

}  // namespace lanescope::gpu
